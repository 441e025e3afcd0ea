import torch

CALLS = [
    "seal island this is trawler nora requesting berth over ",
    "nora proceed to channel eleven wind north west six ",
    "pilot boat two reports fog at the outer buoy over ",
]


def vocabulary():
    return sorted(set("".join(CALLS)))


def chunks(vocab, count, batch=4, length=16):
    ids = torch.tensor([vocab.index(c) for c in "".join(CALLS) * 80])
    lanes = ids[: len(ids) // batch * batch].view(batch, -1)
    for k in range(count):
        at = (k * length) % (lanes.shape[1] - length - 1)
        yield lanes[:, at:at + length], lanes[:, at + 1:at + length + 1]
