"""Which encoding a text that is not UTF-8 is in is guessed well, and never at the price of a character."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikimem_desktop.engine.charsets import CHARSETS, choices, guess

TEXTS = {
    "gb18030": ["## 名字\n\n内容\n", "喜欢海边，提到过想去海边玩。", "不好", "## 陈医生\n\n牙医", "# 三亚之行\n"],
    "cp950": ["## 名字\n\n內容\n", "喜歡海邊，提到過想去海邊玩。", "## 陳醫生\n\n牙醫", "## 健康檢查\n\n每年一次\n"],
    "cp932": ["## 名前\n\n海が好きです。", "## テスト\n\nコーヒー", "## 東京\n", "カフカ", "予定は明日です"],
    "euc_jp": ["## 名前\n\n海が好きです。", "## テスト\n\nコーヒー", "予定は明日です"],
    "cp949": ["## 이름\n\n바다를 좋아합니다.", "한국어", "오늘은 날씨가 좋다", "## 커피\n\n아메리카노"],
    "cp1252": ["## Café\n\nDéjà vu, l’été", "Grüße aus Köln", "señor niño", "naïve “quotes” – dash", "Übung"],
    "cp1251": ["## Имя\n\nЛюблю море и кофе.", "Привет", "## ТЕСТ\n\nДа"],
    "utf-16": ["## 名字\n\n内容\n", "## a\n"],
}  # fmt: skip
SAMPLES = [(codec, text) for codec, texts in TEXTS.items() for text in texts]


@pytest.mark.parametrize(("codec", "text"), SAMPLES)
def test_b11_the_encoding_of_a_short_text_is_guessed(codec: str, text: str) -> None:
    data = text.encode(codec)
    charset = guess(data)
    assert charset is not None
    assert (charset.codec, charset.decode(data)) == (codec, text)
    assert charset in choices(data)


def test_b11_the_encoding_of_a_long_text_is_guessed_from_its_beginning() -> None:
    data = ("喜欢海边，" * 50_000).encode("gb18030")
    charset = guess(data)
    assert charset is not None
    assert charset.codec == "gb18030"


@pytest.mark.parametrize(
    "data", ["喜欢海边，提到过".encode()[:-1], b"caf\xc3\xa9 \xe4\xbd\xa0\xe5\xa5\xbd \xff", b"\x00\xff\x81"]
)
def test_b11_damaged_utf8_and_what_is_no_text_is_nothing_else(data: bytes) -> None:
    assert guess(data) is None


def test_b11_utf16_is_offered_only_with_its_mark() -> None:
    assert "UTF-16" in [charset.label for charset in choices("a".encode("utf-16"))]
    assert choices("a".encode("utf-16-le")) == list(CHARSETS)


@given(st.binary(min_size=1, max_size=60))
def test_b11_what_is_guessed_fits_every_byte(data: bytes) -> None:
    charset = guess(data)
    if charset is not None:
        assert "\0" not in charset.decode(data)
