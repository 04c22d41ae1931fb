"""The sentences a person reads about errors and problems."""

from __future__ import annotations

from datetime import datetime

from PySide6.QtCore import QCoreApplication, QDate, QDateTime, QLocale, QTime

from wikimem_desktop.engine import errors
from wikimem_desktop.engine.problems import UNCLOSED, Kind, Problem
from wikimem_desktop.presentation.link_reach import Reach


def _tr(text: str) -> str:
    return QCoreApplication.translate("words", text)


def error_text(error: Exception) -> str:
    """What went wrong, for a person."""
    if isinstance(error, errors.StoreError):
        return _store_error_text(error)
    match error:
        case errors.ContentNotStorable(kind="heading"):
            text = _tr(
                "Not saved: line {0} (“{1}”) would start another item when hosts read it. Indent it or write \\##."
            )
            return text.format(error.line, error.text.strip())
        case errors.ContentNotStorable(kind="surrogate"):
            text = _tr("Not saved: line {0} holds half a character, which no file can hold. Delete it.")
            return text.format(error.line)
        case errors.ContentNotStorable():
            text = _tr(
                "Not saved: line {0} (“{1}”) would be read as metadata and vanish from the text. Change how it begins."
            )
            return text.format(error.line, error.text.strip())
        case errors.InvalidTimeRange():
            return _tr("That is no range of days.")
    return _name_error_text(error)


def _name_error_text(error: Exception) -> str:
    match error:
        case errors.InvalidItemName(reserved=None):
            return _tr("A name can't be empty.")
        case errors.InvalidItemName():
            return _tr("A name can't contain “{0}”: no link could reach it.").format(error.reserved)
        case errors.InvalidCategory(reserved=True):
            return _tr("{0} can't be a category: Windows keeps that name for itself.").format(error.category)
        case errors.InvalidCategory(category=""):
            return _tr("A category needs a name.")
        case errors.InvalidCategory():
            return _tr("A category is named with a–z, 0–9, _ and -, and does not begin with -.")
        case errors.NameTaken():
            texts = {
                "same": _tr("{0} is taken."),
                "case": _tr("{0} is there already: it differs only in upper and lower case."),
                "form": _tr("{0} is there already: it looks the same but is composed of other characters."),
            }
            return texts[error.how].format(error.taken_by)
    return str(error)


def _store_error_text(error: errors.StoreError) -> str:
    match error:
        case errors.StoreNotFound():
            return _tr("{0} can't be opened: {1}").format(error.path, error.reason)
        case errors.ItemNotFound():
            return _tr("There is no item {0} any more.").format(f"{error.category}:{error.name}")
        case errors.CategoryNotFound():
            return _tr("There is no category {0} any more.").format(error.category)
        case errors.NotUtf8():
            text = _tr("{0} is not UTF-8 (first odd byte at {1}); it stays as it is.")
            return text.format(error.path.name, error.offset)
        case errors.UnreadableFile():
            return _tr("{0} can't be read: {1}").format(error.path.name, error.reason)
    return _unwritten_text(error)


def _unwritten_text(error: errors.StoreError) -> str:
    match error:
        case errors.Conflict(theirs=None):
            return _tr("The item was deleted or renamed on disk meanwhile. Your text was not saved.")
        case errors.Conflict():
            return _tr("The item was changed on disk meanwhile. Your text was not saved.")
        case errors.ReadOnlyStore():
            return _tr("This memory is open read-only.")
        case errors.ReadOnlyFiles():
            names = ", ".join(path.name for path in error.paths)
            return _tr("Nothing was changed, as these files are read-only: {0}").format(names)
        case errors.OutsideStore():
            return _tr("{0} is a link to {1}, outside this memory.").format(error.path.name, error.target)
        case errors.JournalFailed():
            return _tr("Saved, but the journal could not be written: {0}").format(error.reason)
        case errors.WriteFailed():
            return _tr("{0} could not be written: {1}. Your text is still here.").format(error.path.name, error.reason)
    return str(error)


def problem_text(problem: Problem) -> str:
    """The finding in one sentence; the subject stands in it."""
    texts = {
        Kind.UNRESOLVED_LINK: _tr("Unresolved link {0}"),
        Kind.FORM_MISMATCH: _tr("Hosts will not resolve {0}: it is written with other characters that look the same"),
        Kind.AMBIGUOUS_LINK: _tr("{0} is ambiguous: the name stands twice in its file, the last one wins"),
        Kind.SHADOWED: _tr("Two items are named {0}; hosts see the last one (line {1}) and drop others on writing"),
        Kind.HEADING_IN_FENCE: _tr("Heading inside a code block is read as an item: {0}"),
        Kind.METADATA_IN_FENCE: _tr("Metadata inside a code block counts as that of {0}"),
        Kind.BOM_BEFORE_HEADING: _tr("A byte order mark hides the first item: {0}"),
        Kind.ODD_SEPARATOR: _tr("{0} holds {1}, which hosts read as a line break"),
        Kind.NOT_UTF8: _tr("{0} is left out: {1}"),
        Kind.UNREADABLE: _tr("{0} can't be read: {1}"),
        Kind.FOREIGN_NAME: _tr("{0} is no category name: hosts read it but can't write it"),
        Kind.BROKEN_JOURNAL_LINE: _tr("A line of {0} is broken and is skipped"),
        Kind.SAME_MINUTE: _tr("{0} stands twice on this day: a run shows only one of them"),
        Kind.CONFLICT_COPY: _tr("{0} looks like a sync tool's copy of {1}; hosts read it as a category of its own"),
        Kind.NEAR_DUPLICATE: _tr("{0} says nearly the same as {1}"),
        Kind.OVER_BUDGET: _tr("{0} takes {1} tokens, more than the whole budget: no run holds it"),
        Kind.UNLINKABLE_NAME: _tr("No link can reach {0}: a name can't contain “{1}”, and hosts can't write it"),
        Kind.MALFORMED_METADATA: _tr("{0} looks like metadata, but hosts read it as text"),
        Kind.NO_TOKENS: _tr("No query finds {0}: it has no letters a–z, digits, Chinese or Japanese"),
        Kind.ALIAS_LINK: _tr("{0} does not resolve: hosts take all behind the colon for the name"),
        Kind.CASE_MISMATCH: _tr("{0} does not resolve: upper and lower case matter to hosts"),
    }
    if problem.detail == UNCLOSED:
        texts |= {
            Kind.HEADING_IN_FENCE: _tr("{0} is an item to hosts, and stands in a code block that is never closed"),
            Kind.METADATA_IN_FENCE: _tr("Metadata of {0} stands in a code block that is never closed"),
        }
    return texts[problem.kind].format(problem.subject, problem.detail)


def repaired_at_once(problem: Problem) -> bool:
    """Whether its repair asks nothing."""
    kinds = (Kind.FORM_MISMATCH, Kind.HEADING_IN_FENCE, Kind.METADATA_IN_FENCE, Kind.BOM_BEFORE_HEADING)
    return problem.kind in kinds and fix_text(problem) is not None


def kind_text(kind: Kind) -> str:
    """What a kind of problem is called."""
    texts = {
        Kind.UNRESOLVED_LINK: _tr("Unresolved links"),
        Kind.FORM_MISMATCH: _tr("Links in other characters"),
        Kind.AMBIGUOUS_LINK: _tr("Ambiguous links"),
        Kind.SHADOWED: _tr("Names that stand twice"),
        Kind.HEADING_IN_FENCE: _tr("Headings in code"),
        Kind.METADATA_IN_FENCE: _tr("Metadata in code"),
        Kind.BOM_BEFORE_HEADING: _tr("Byte order marks"),
        Kind.ODD_SEPARATOR: _tr("Unusual line breaks"),
        Kind.NOT_UTF8: _tr("Files that are not UTF-8"),
        Kind.UNREADABLE: _tr("Unreadable files"),
        Kind.FOREIGN_NAME: _tr("Names of files"),
        Kind.BROKEN_JOURNAL_LINE: _tr("Broken journal lines"),
        Kind.SAME_MINUTE: _tr("The same minute twice"),
        Kind.CONFLICT_COPY: _tr("Copies of sync tools"),
        Kind.UNLINKABLE_NAME: _tr("Names no link reaches"),
        Kind.MALFORMED_METADATA: _tr("Malformed metadata"),
        Kind.NO_TOKENS: _tr("Items no query finds"),
        Kind.ALIAS_LINK: _tr("Links with an alias"),
        Kind.CASE_MISMATCH: _tr("Links in the wrong case"),
        Kind.NEAR_DUPLICATE: _tr("Items nearly the same"),
        Kind.OVER_BUDGET: _tr("Items over the budget"),
    }
    return texts[kind]


def fix_text(problem: Problem) -> str | None:
    """What can be done about it at once; None where nothing is safe."""
    if (problem.in_diary and problem.kind is not Kind.UNRESOLVED_LINK) or problem.detail == UNCLOSED:
        return None
    texts = {
        Kind.UNRESOLVED_LINK: _tr("Create item"),
        Kind.FORM_MISMATCH: _tr("Use the item's spelling"),
        Kind.SHADOWED: _tr("Show it"),
        Kind.HEADING_IN_FENCE: _tr("Escape it"),
        Kind.METADATA_IN_FENCE: _tr("Escape it"),
        Kind.BOM_BEFORE_HEADING: _tr("Insert a blank line"),
        Kind.NEAR_DUPLICATE: _tr("Compare…"),
        Kind.CONFLICT_COPY: _tr("Compare…"),
    }
    return texts.get(problem.kind)


def reach_text(reach: Reach) -> str:
    """What must be known about a link; "" when it leads where it says."""
    texts = {
        Reach.NOBODY: _tr("There is no such item"),
        Reach.PEOPLE: _tr("Hosts will not find it: the link is written with other characters that look the same"),
    }
    return texts.get(reach, "")


def is_severe(problem: Problem) -> bool:
    """Whether something is lost to the agent, rather than surprising."""
    return problem.kind in (
        Kind.UNRESOLVED_LINK, Kind.FORM_MISMATCH, Kind.NOT_UTF8, Kind.UNREADABLE, Kind.BOM_BEFORE_HEADING,
        Kind.ALIAS_LINK, Kind.CASE_MISMATCH, Kind.NO_TOKENS,
    )  # fmt: skip


def local_time(ts: str | None) -> str | None:
    """The moment in this machine's zone; what is no ISO-8601 moment stays as written."""
    try:
        moment = datetime.fromisoformat(ts or "")
    except ValueError:
        return ts
    local = moment.astimezone() if moment.tzinfo else moment
    return local.strftime("%Y-%m-%d %H:%M")


def clock_time(moment: datetime) -> str:
    """The time of day; the date too when it is not today."""
    return moment.strftime("%H:%M" if moment.date() == datetime.now().date() else "%Y-%m-%d %H:%M")


def moment_text(moment: datetime) -> str:
    """A moment as this machine's clock and language tell it; of today the time only."""
    local = moment.astimezone()
    locale = QLocale()
    if local.date() == datetime.now().date():
        clock = locale.timeFormat().replace("t", "").strip(" ()")  # without the time zone
        return locale.toString(QTime(local.hour, local.minute, local.second), clock)
    when = QDateTime(QDate(local.year, local.month, local.day), QTime(local.hour, local.minute))
    return locale.toString(when, QLocale.FormatType.ShortFormat)
