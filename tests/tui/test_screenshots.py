"""The pictures come from real runs, with what is the matter in them."""

from __future__ import annotations

import html
import re

import pytest

from gradwatch.commands import screenshots
from gradwatch.commands.errors import Unusable
from gradwatch.commands.screenshots import Shot

pytest.importorskip("torch")


def test_a_picture_of_a_real_crash_says_what_happened(tmp_path):
    screenshots.run(tmp_path / "new", [Shot("crash", ("carried-estimate",), iterations=1)])
    pictures = sorted((tmp_path / "new").iterdir())
    assert [picture.name for picture in pictures] == ["crash-120x35.svg", "crash-80x24.svg"]
    for picture in pictures:
        words = html.unescape(" ".join(re.findall(r">([^<>]+)</text>", picture.read_text("utf-8"))))
        words = words.replace("\xa0", " ")
        assert "BACKWARD TWICE" in words
        assert "Yest = Yest + w * X" in words


def test_a_scenario_that_does_not_exist_is_named(tmp_path):
    with pytest.raises(Unusable, match="no-such-thing"):
        screenshots.run(tmp_path, [Shot("x", ("no-such-thing",))])
