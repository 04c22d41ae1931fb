"""From the wish to leave a program at work to the end of its process: `python -m tests.bench.leaving LOAD STORE`.

LOAD is one of `tests.end_to_end.leaving_child`.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time

from wikimem_desktop.places import PROFILE_VARIABLE


def main() -> None:
    load, store = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "tests.end_to_end.leaving_child", load, store]
        environment = os.environ | {PROFILE_VARIABLE: folder}
        done = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True, env=environment)
        ended = time.monotonic()
    print(json.dumps({"seconds": ended - float(done.stdout.split()[1])}))


if __name__ == "__main__":
    main()
