"""Whether a folder is on another machine: the system tells of no change that is made there."""

from __future__ import annotations

import os
import re
import struct
import sys
from pathlib import Path

_MOUNTS = Path("/proc/self/mountinfo")
_REMOTE_TYPES = {
    "nfs", "nfs4", "cifs", "smb3", "smbfs", "afs", "ceph", "coda", "davfs", "glusterfs", "lustre",
    "9p", "virtiofs", "vboxsf", "prl_fs", "vmhgfs", "vmhgfs-fuse",
    "sshfs", "rclone", "davfs2", "s3fs", "gcsfuse", "curlftpfs", "gvfsd-fuse", "kio-fuse", "onedriver",
}  # fmt: skip
"""File systems of Linux (or of FUSE) that others change behind its back; also what a virtual machine's host lends."""
_MAC_FLAGS_AT, _MAC_LOCAL = 64, 0x1000
"""Where macOS has the flags in `struct statfs`, and MNT_LOCAL."""
_WINDOWS_REMOTE_DRIVE = 4


def is_remote(folder: Path) -> bool:
    """Whether changes below the folder may go untold. Where nothing can be found out: no."""
    try:
        if sys.platform == "win32":
            return is_network_share(str(folder)) or _is_network_drive(folder)
        if sys.platform == "darwin":
            return is_remote_mac(_mac_status(folder))
        kind = mount_type(folder, _MOUNTS.read_text(encoding="utf-8", errors="surrogateescape"))
        return kind.removeprefix("fuse.") in _REMOTE_TYPES
    except (OSError, AttributeError, struct.error):
        return False


def mount_type(folder: Path, mounts: str) -> str:
    """The type of the file system that holds the folder, by a text like that of `/proc/self/mountinfo`."""
    path = os.path.abspath(folder)
    found, longest = "", -1
    for line in mounts.splitlines():
        before, _, after = line.partition(" - ")
        fields = before.split(" ")
        if len(fields) < 5 or not after:
            continue
        point = _plain(fields[4])
        if len(point) >= longest and _is_at_or_below(path, point):  # of two at one place the later one is on top
            found, longest = after.split(" ")[0], len(point)
    return found


def is_network_share(path: str) -> bool:
    r"""Whether Windows would look for the path on another machine: `\\server\share\...`, not `\\?\C:\...`."""
    path = path.replace("/", "\\")
    if path.startswith(("\\\\?\\", "\\\\.\\")):
        return path[4:8].upper() == "UNC\\"
    return path.startswith("\\\\")


def is_remote_mac(status: bytes) -> bool:
    """Whether a `struct statfs` of macOS is that of a file system elsewhere."""
    (flags,) = struct.unpack_from("=I", status, _MAC_FLAGS_AT)
    return not flags & _MAC_LOCAL


def _plain(escaped: str) -> str:
    r"""A mount point without the escapes of blanks and the like (`\040`)."""
    return re.sub(r"\\([0-7]{3})", lambda match: chr(int(match[1], 8)), escaped)


def _is_at_or_below(path: str, point: str) -> bool:
    return path == point or path.startswith(point.rstrip("/") + "/")


def _is_network_drive(folder: Path) -> bool:
    import ctypes

    drive = os.path.splitdrive(os.path.abspath(folder))[0]
    return bool(ctypes.windll.kernel32.GetDriveTypeW(f"{drive}\\") == _WINDOWS_REMOTE_DRIVE)  # type: ignore[attr-defined]


def _mac_status(folder: Path) -> bytes:
    import ctypes

    library = ctypes.CDLL(None, use_errno=True)
    statfs = getattr(library, "statfs$INODE64", None) or library.statfs
    buffer = ctypes.create_string_buffer(8192)
    if statfs(os.fsencode(folder), buffer) != 0:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error), str(folder))
    return buffer.raw
