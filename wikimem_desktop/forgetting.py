"""Puts together what forgetting for good needs of a window: every place of it that may hold a text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikimem_desktop.presentation.forgetting import Folders, Forgetting
from wikimem_desktop.presentation.window_traces import Clipboard, OpenTexts, Remembered, StepsDone
from wikimem_desktop.widgets.forget_dialog import ForgetAction

if TYPE_CHECKING:
    from wikimem_desktop.app import App


def forget_action(app: App) -> ForgetAction:
    """The command, in the Memory menu and the tree's own one."""
    places = app.places
    here = (
        OpenTexts(app.documents, app.drafts, app.overwritten),
        StepsDone(app.steps),
        Remembered(app.state, places.state_file, app.playground, app.places_by_letters),
        Clipboard(),
    )
    folders = Folders(places.history, places.drafts, places.tokens, places.log, places.config)
    forgetting = Forgetting(folders, app.library, app.drafts, app.history, here, app.writer)
    actions = app.memory_actions
    selection = app.item_view.text_edit.selected
    action = ForgetAction(
        forgetting, app.library, app.documents, selection, lambda: actions.target, app.window, app.theme
    )
    action.fill(app.window.menus.memory, actions.context_menu)
    return action
