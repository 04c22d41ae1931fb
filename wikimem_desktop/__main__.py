"""`python -m wikimem_desktop`, the installed command, and the frozen program."""

from __future__ import annotations

import sys


def main() -> int:
    """The window, or a command that needs none."""
    arguments = sys.argv[1:]
    if arguments[:1] == ["explain"]:
        from wikimem_desktop import cli

        return cli.main(arguments)
    if arguments[:1] == ["check"]:
        from wikimem_desktop import check_command

        return check_command.main(arguments[1:])
    from wikimem_desktop import start

    return start.run(arguments)


if __name__ == "__main__":
    sys.exit(main())
