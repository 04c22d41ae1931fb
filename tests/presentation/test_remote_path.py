"""Folders on other machines are known by where they are mounted."""

from __future__ import annotations

import struct
import sys
from pathlib import Path

import pytest

from wikimem_desktop.presentation.remote_path import is_network_share, is_remote, is_remote_mac, mount_type

MOUNTS = (
    r"""
27 1 254:0 / / rw,relatime - ext4 /dev/vda rw
22 27 0:21 / /proc rw,relatime shared:5 - proc proc rw
40 27 0:40 / /net/team rw,relatime shared:9 master:2 - nfs4 server:/export rw,vers=4.2
41 40 254:1 / /net/team/local rw,relatime - xfs /dev/vdb rw
42 27 254:0 /srv/a/notes /net/bound rw,relatime - ext4 /dev/vda rw
43 40 0:40 /deep /srv/bound rw,relatime - nfs4 server:/export rw
44 27 0:50 / /media/My\040Share\011x rw - cifs //server/x rw
45 27 0:51 / /srv/a/dav rw - fuse.rclone drive: rw
46 27 0:52 / /net/auto rw - autofs systemd-1 rw
47 46 0:53 / /net/auto rw - smb3 //server/y rw
48 27 0:54 / /srv/a/disk rw - fuseblk /dev/sdb1 rw
49 27 0:55 / /net/caf"""
    + "\N{LATIN SMALL LETTER E WITH ACUTE} rw - 9p host rw\nnonsense\n"
)


@pytest.mark.parametrize(
    ("folder", "expected"),
    [
        ("/srv/a/notes", "ext4"),
        ("/", "ext4"),
        ("/net/team", "nfs4"),
        ("/net/team/memory/wiki", "nfs4"),
        ("/net/teamwork", "ext4"),
        ("/net/team/local/memory", "xfs"),
        ("/net/team/local/../memory", "nfs4"),
        ("/net/bound/x", "ext4"),
        ("/srv/bound/x", "nfs4"),
        ("/media/My Share\tx/memory", "cifs"),
        ("/media/My", "ext4"),
        ("/srv/a/dav/memory", "fuse.rclone"),
        ("/net/auto/y", "smb3"),
        ("/srv/a/disk/memory", "fuseblk"),
        ("/net/café/memory", "9p"),
    ],
)
@pytest.mark.skipif(sys.platform == "win32", reason="paths of Linux")
def test_the_longest_mount_point_holds_a_folder_and_of_two_the_later(folder: str, expected: str) -> None:
    assert mount_type(Path(folder), MOUNTS) == expected


def test_without_a_mount_nothing_is_known() -> None:
    assert mount_type(Path("/srv/a"), "") == ""


@pytest.mark.skipif(sys.platform != "linux", reason="only there the mounts are a text")
@pytest.mark.parametrize(
    ("kind", "remote"),
    [("ext4", False), ("btrfs", False), ("overlay", False), ("fuseblk", False), ("tmpfs", False), ("nfs", True)]
    + [(kind, True) for kind in ("nfs4", "cifs", "smb3", "smbfs", "9p", "fuse.sshfs", "fuse.rclone", "davfs")],
)
def test_a_mount_is_remote_by_its_type(
    kind: str, remote: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mounts = tmp_path / "mountinfo"
    mounts.write_text(f"1 0 0:1 / / rw - ext4 x rw\n2 1 0:2 / {tmp_path} rw - {kind} y rw\n", encoding="utf-8")
    monkeypatch.setattr("wikimem_desktop.presentation.remote_path._MOUNTS", mounts)
    assert is_remote(tmp_path / "memory") is remote
    mounts.unlink()
    assert not is_remote(tmp_path / "memory")


@pytest.mark.parametrize(
    ("path", "remote"),
    [
        (r"\\server\share\memory", True),
        ("//server/share/memory", True),
        (r"\\?\UNC\server\share", True),
        (r"\\?\unc\server\share", True),
        (r"\\?\C:\memory", False),
        (r"\\.\C:\memory", False),
        (r"C:\memory", False),
    ],
)
def test_a_share_of_windows_is_remote(path: str, remote: bool) -> None:
    assert is_network_share(path) is remote


@pytest.mark.parametrize(("flags", "remote"), [(0x1000, False), (0x1000 | 0x1, False), (0, True), (0x8, True)])
def test_a_file_system_of_macos_that_is_not_local_is_remote(flags: int, remote: bool) -> None:
    assert is_remote_mac(struct.pack("=II5QiiIII", 4096, 4096, 1, 2, 3, 4, 5, 6, 7, 8, 9, flags)) is remote


def test_this_folder_is_here(tmp_path: Path) -> None:
    assert not is_remote(tmp_path)
