<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>Arrangement</name>
    <message numerus="yes">
        <source>Duplicate %n item(s)</source>
        <translation>
            <numerusform>Duplicate %n item</numerusform>
            <numerusform>Duplicate %n items</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Delete %n item(s)</source>
        <translation>
            <numerusform>Delete %n item</numerusform>
            <numerusform>Delete %n items</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>BrokenLinks</name>
    <message numerus="yes">
        <source>%n link(s) lead here and will not be found any more:</source>
        <translation>
            <numerusform>%n link leads here and will not be found any more:</numerusform>
            <numerusform>%n links lead here and will not be found any more:</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>BudgetRuler</name>
    <message numerus="yes">
        <source>budget %n token(s)</source>
        <translation>
            <numerusform>budget %n token</numerusform>
            <numerusform>budget %n tokens</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n token(s) in the whole sequence</source>
        <translation>
            <numerusform>%n token in the whole sequence</numerusform>
            <numerusform>%n tokens in the whole sequence</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n token(s)</source>
        <translation>
            <numerusform>%n token</numerusform>
            <numerusform>%n tokens</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ChangesView</name>
    <message numerus="yes">
        <source>Undo all %n change(s) that others made?</source>
        <translation>
            <numerusform>Undo all %n change that others made?</numerusform>
            <numerusform>Undo all %n changes that others made?</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Drafts</name>
    <message numerus="yes">
        <source>%n unsaved text(s) of a window that did not end well: {0}</source>
        <translation>
            <numerusform>%n unsaved text of a window that did not end well: {0}</numerusform>
            <numerusform>%n unsaved texts of a window that did not end well: {0}</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>FindBar</name>
    <message numerus="yes">
        <source>%n match(es)</source>
        <translation>
            <numerusform>%n match</numerusform>
            <numerusform>%n matches</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Replaced %n match(es)</source>
        <translation>
            <numerusform>Replaced %n match</numerusform>
            <numerusform>Replaced %n matches</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>FindInStore</name>
    <message numerus="yes">
        <source>%n match(es)</source>
        <translation>
            <numerusform>%n match</numerusform>
            <numerusform>%n matches</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source> in %n file(s)</source>
        <translation>
            <numerusform> in %n file</numerusform>
            <numerusform> in %n files</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>; the first %n line(s)</source>
        <translation>
            <numerusform>; the first %n line</numerusform>
            <numerusform>; the first %n lines</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n item(s) hold(s) unsaved text; what is on disk is searched</source>
        <translation>
            <numerusform>%n item holds unsaved text; what is on disk is searched</numerusform>
            <numerusform>%n items hold unsaved text; what is on disk is searched</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Footer</name>
    <message numerus="yes">
        <source>%n token(s)</source>
        <translation>
            <numerusform>%n token</numerusform>
            <numerusform>%n tokens</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n character(s)</source>
        <translation>
            <numerusform>%n character</numerusform>
            <numerusform>%n characters</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n link(s) out</source>
        <translation>
            <numerusform>%n link out</numerusform>
            <numerusform>%n links out</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n unresolved</source>
        <translation>
            <numerusform>%n unresolved</numerusform>
            <numerusform>%n unresolved</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n in</source>
        <translation>
            <numerusform>%n in</numerusform>
            <numerusform>%n in</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ForgetDialog</name>
    <message numerus="yes">
        <source>%n place(s) still have it:</source>
        <translation>
            <numerusform>%n place still has it:</numerusform>
            <numerusform>%n places still have it:</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>It lives in %n place(s):</source>
        <translation>
            <numerusform>It lives in %n place:</numerusform>
            <numerusform>It lives in %n places:</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>JournalView</name>
    <message numerus="yes">
        <source>%n broken line(s)</source>
        <translation>
            <numerusform>%n broken line</numerusform>
            <numerusform>%n broken lines</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>LinkPreview</name>
    <message numerus="yes">
        <source>{0} with %n link(s)</source>
        <translation>
            <numerusform>{0} with %n link</numerusform>
            <numerusform>{0} with %n links</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>, in %n file(s); they follow.</source>
        <translation>
            <numerusform>, in %n file; they follow.</numerusform>
            <numerusform>, in %n files; they follow.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n link(s) lead(s) here</source>
        <translation>
            <numerusform>%n link leads here</numerusform>
            <numerusform>%n links lead here</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n line(s) is/are in code: untick what shall stay.</source>
        <translation>
            <numerusform>%n line is in code: untick what shall stay.</numerusform>
            <numerusform>%n lines are in code: untick what shall stay.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>LinksView</name>
    <message numerus="yes">
        <source>%n link(s)</source>
        <translation>
            <numerusform>%n link</numerusform>
            <numerusform>%n links</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message numerus="yes">
        <source>%n item(s) hold text that is not saved.</source>
        <translation>
            <numerusform>%n item holds text that is not saved.</numerusform>
            <numerusform>%n items hold text that is not saved.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>MemoryActions</name>
    <message numerus="yes">
        <source>Move %n item(s)</source>
        <translation>
            <numerusform>Move %n item</numerusform>
            <numerusform>Move %n items</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n item(s)</source>
        <translation>
            <numerusform>%n item</numerusform>
            <numerusform>%n items</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The file holds %n item(s).</source>
        <translation>
            <numerusform>The file holds %n item.</numerusform>
            <numerusform>The file holds %n items.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n of them hold(s) unsaved text, which is kept among the drafts.</source>
        <translation>
            <numerusform>%n of them holds unsaved text, which is kept among the drafts.</numerusform>
            <numerusform>%n of them hold unsaved text, which is kept among the drafts.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n section(s) of that name that hosts ignore go(es) too.</source>
        <translation>
            <numerusform>%n section of that name that hosts ignore goes too.</numerusform>
            <numerusform>%n sections of that name that hosts ignore go too.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>MemoryModel</name>
    <message numerus="yes">
        <source>%n item(s)</source>
        <translation>
            <numerusform>%n item</numerusform>
            <numerusform>%n items</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n day(s)</source>
        <translation>
            <numerusform>%n day</numerusform>
            <numerusform>%n days</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n section(s) of this name that hosts ignore</source>
        <translation>
            <numerusform>%n section of this name that hosts ignore</numerusform>
            <numerusform>%n sections of this name that hosts ignore</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>MergeView</name>
    <message numerus="yes">
        <source>%n to decide</source>
        <translation>
            <numerusform>%n to decide</numerusform>
            <numerusform>%n to decide</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>PlaygroundPanel</name>
    <message numerus="yes">
        <source>{0} token(s)</source>
        <translation>
            <numerusform>{0} token</numerusform>
            <numerusform>{0} tokens</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{0} of {1} token(s)</source>
        <translation>
            <numerusform>{0} of {1} token</numerusform>
            <numerusform>{0} of {1} tokens</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n hit(s)</source>
        <translation>
            <numerusform>%n hit</numerusform>
            <numerusform>%n hits</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n link(s)</source>
        <translation>
            <numerusform>%n link</numerusform>
            <numerusform>%n links</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n dropped</source>
        <translation>
            <numerusform>%n dropped</numerusform>
            <numerusform>%n dropped</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>with %n unsaved text(s)</source>
        <translation>
            <numerusform>with %n unsaved text</numerusform>
            <numerusform>with %n unsaved texts</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ProblemsPane</name>
    <message numerus="yes">
        <source>Repair %n problem(s)</source>
        <translation>
            <numerusform>Repair %n problem</numerusform>
            <numerusform>Repair %n problems</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ReplacePreview</name>
    <message numerus="yes">
        <source>%n line(s) will change</source>
        <translation>
            <numerusform>%n line will change</numerusform>
            <numerusform>%n lines will change</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source> in %n file(s).</source>
        <translation>
            <numerusform> in %n file.</numerusform>
            <numerusform> in %n files.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n line(s) stand(s) apart at the end, with the reason.</source>
        <translation>
            <numerusform>%n line stands apart at the end, with the reason.</numerusform>
            <numerusform>%n lines stand apart at the end, with the reason.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n link(s) will lead nowhere.</source>
        <translation>
            <numerusform>%n link will lead nowhere.</numerusform>
            <numerusform>%n links will lead nowhere.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Review</name>
    <message numerus="yes">
        <source>Revert %n change(s)</source>
        <translation>
            <numerusform>Revert %n change</numerusform>
            <numerusform>Revert %n changes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SequenceModel</name>
    <message numerus="yes">
        <source>%n token(s) over</source>
        <translation>
            <numerusform>%n token over</numerusform>
            <numerusform>%n tokens over</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n token(s) left</source>
        <translation>
            <numerusform>%n token left</numerusform>
            <numerusform>%n tokens left</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>blocks %n smaller</source>
        <translation>
            <numerusform>blocks %n smaller</numerusform>
            <numerusform>blocks %n smaller</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n token(s)</source>
        <translation>
            <numerusform>%n token</numerusform>
            <numerusform>%n tokens</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n entry(ies) behind it would have fitted.</source>
        <translation>
            <numerusform>%n entry behind it would have fitted.</numerusform>
            <numerusform>%n entries behind it would have fitted.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The first that did not fit; it keeps out %n that would</source>
        <translation>
            <numerusform>The first that did not fit; it keeps out %n that would</numerusform>
            <numerusform>The first that did not fit; it keeps out %n that would</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Counted as 0 tokens: no letters a–z, digits, CJK or kana in its %n character(s)</source>
        <translation>
            <numerusform>Counted as 0 tokens: no letters a–z, digits, CJK or kana in its %n character</numerusform>
            <numerusform>Counted as 0 tokens: no letters a–z, digits, CJK or kana in its %n characters</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>StatusBar</name>
    <message numerus="yes">
        <source>%n change(s) by others</source>
        <translation>
            <numerusform>%n change by others</numerusform>
            <numerusform>%n changes by others</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Index behind the disk · {0} item(s)</source>
        <translation>
            <numerusform>Index behind the disk · {0} item</numerusform>
            <numerusform>Index behind the disk · {0} items</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Index up to date · {0} item(s)</source>
        <translation>
            <numerusform>Index up to date · {0} item</numerusform>
            <numerusform>Index up to date · {0} items</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n problem(s)</source>
        <translation>
            <numerusform>%n problem</numerusform>
            <numerusform>%n problems</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>StoreReplace</name>
    <message numerus="yes">
        <source>More than %n line(s) would change: look for less.</source>
        <translation>
            <numerusform>More than %n line would change: look for less.</numerusform>
            <numerusform>More than %n lines would change: look for less.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Replace %n match(es)</source>
        <translation>
            <numerusform>Replace %n match</numerusform>
            <numerusform>Replace %n matches</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source> in %n file(s).</source>
        <translation>
            <numerusform> in %n file.</numerusform>
            <numerusform> in %n files.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Structure</name>
    <message numerus="yes">
        <source>Move %n item(s)</source>
        <translation>
            <numerusform>Move %n item</numerusform>
            <numerusform>Move %n items</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n item(s) is/are in {0} now.</source>
        <translation>
            <numerusform>%n item is in {0} now.</numerusform>
            <numerusform>%n items are in {0} now.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n link(s) follow(s)</source>
        <translation>
            <numerusform>%n link follows</numerusform>
            <numerusform>%n links follow</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source> in %n file(s).</source>
        <translation>
            <numerusform> in %n file.</numerusform>
            <numerusform> in %n files.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Repair %n problem(s)</source>
        <translation>
            <numerusform>Repair %n problem</numerusform>
            <numerusform>Repair %n problems</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>_Candidates</name>
    <message numerus="yes">
        <source>%n item(s)</source>
        <translation>
            <numerusform>%n item</numerusform>
            <numerusform>%n items</numerusform>
        </translation>
    </message>
</context>
</TS>
