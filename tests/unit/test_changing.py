"""Which statements may have changed a weight in place."""

import os

from gradwatch_agent.source.gradients.changing import changes, changes_of_weights

SOURCE = """
def follow(net, averages):
    for average, p in zip(averages, net.parameters()):
        average.lerp_(p, 0.1)
    for number, (p, average) in enumerate(zip(net.parameters(), averages)):
        p.copy_(average)
    for name, (p, average) in zip(net.names(), zip(net.parameters(), averages)):
        average.copy_(p)
    for number, p in enumerate(net.parameters()):
        p.clamp_(-1, 1)
    for q in averages:
        q.zero_()
    [p.neg_() for p in net.parameters()]
"""


def test_only_what_goes_over_the_weights(tmp_path):
    file = tmp_path / "follow.py"
    file.write_text(SOURCE)
    os.utime(file, (0, 0))  # source is only read of files older than the process
    changed = {change.code for change in changes_of_weights(str(file))}
    assert changed == {
        "p.copy_(average)",
        "p.clamp_(-1, 1)",
        "[p.neg_() for p in net.parameters()]",
    }


ELEMENTS = """
sys.modules["__main__"] = module
log[f"epoch {n}"] = value
seen[step] = {"loss": value}
seen[step] = "done"
table[row] = value
table[0] = 0.5
table[:, 1] += value
"""


def test_only_what_may_be_an_element_of_a_tensor(tmp_path):
    file = tmp_path / "elements.py"
    file.write_text(ELEMENTS)
    os.utime(file, (0, 0))
    changed = [change.code for change in changes(str(file))]
    assert changed == ["table[row] = value", "table[0] = 0.5", "table[:, 1] += value"]
