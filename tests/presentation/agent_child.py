"""An agent at work beside the window. Started by test_agent_beside.py.

Arguments: the category file, "rewrite" (read, add an item, replace atomically) or "append" (in place), how many items.
Prints the name of each item that it has written and found to be there.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from tests.engine import naive_host


def rewrite(path: Path, block: str) -> None:
    data = path.read_bytes()
    temporary = path.with_name("agent.tmp")
    temporary.write_bytes(data + block.encode())
    os.replace(temporary, path)


def append(path: Path, block: str) -> None:
    with path.open("ab") as file:
        file.write(block.encode())


def main() -> None:
    path, way, count = Path(sys.argv[1]), {"rewrite": rewrite, "append": append}[sys.argv[2]], int(sys.argv[3])
    for number in range(count):
        sys.stdin.readline()  # the next thought
        way(path, f"\n## agent {number}\n\ntheirs {number}\n")
        if f"agent {number}" in {item.name for item in naive_host.read_items(path.read_bytes())}:
            print(f"agent {number}", flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
