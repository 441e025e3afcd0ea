"""Graphs are gone down in one place alone, the one that keeps deep graphs freeable."""

from pathlib import Path

AGENT = Path(__file__).parents[2] / "agent"


def test_no_other_module_asks_a_node_for_its_edges():
    asking = [file.name for file in AGENT.rglob("*.py") if ".next_functions" in file.read_text()]
    assert asking == ["rungs.py"]
