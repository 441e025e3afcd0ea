# gradwatch-corpus: kind=graph-held
# holder: frames | movie() | get_frames()
# first-bad: 1
# notice: 8
"""Promoter classification with a single attention pool.

A small recorder keeps the attention profile of a fixed probe position through
training so that it can be played back as a film when training has ended.
"""
import torch
import torch.nn as nn
import torch.nn.functional as F

SEQ, BATCH, STEPS = 48, 24, 400
MOTIF = torch.tensor([3, 0, 3, 0, 0])  # TATAA


class AttnPool(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.query = nn.Parameter(torch.randn(dim) * 0.1)
        self.key = nn.Linear(dim, dim)

    def forward(self, h):
        w = F.softmax(self.key(h) @ self.query, dim=1)
        return (w.unsqueeze(-1) * h).sum(1), w


class PromoterNet(nn.Module):
    def __init__(self, dim=16):
        super().__init__()
        self.stem = nn.Conv1d(4, dim, 7, padding=3)
        self.pool = AttnPool(dim)
        self.cls = nn.Linear(dim, 2)

    def forward(self, onehot):
        h = F.relu(self.stem(onehot)).transpose(1, 2)
        pooled, _ = self.pool(h)
        return self.cls(pooled)


def attention_movie(module, every):
    """Hook `module`; returns (get_frames, remove)."""
    frames = []
    calls = 0

    def grab(mod, inputs, output):
        nonlocal calls
        if mod.training and calls % every == 0:
            _, weights = output
            frames.append(weights[0])  # <- culprit
        calls += 1

    handle = module.register_forward_hook(grab)

    def get_frames():
        return frames

    return get_frames, handle.remove


def make_batch():
    seq = torch.randint(0, 4, (BATCH, SEQ))
    label = torch.randint(0, 2, (BATCH,))
    for b in range(BATCH):
        if label[b]:
            at = int(torch.randint(8, SEQ - 13, (1,)))
            seq[b, at:at + 5] = MOTIF
    return F.one_hot(seq, 4).float().transpose(1, 2), label


def sparkline(values):
    ramp = " .:-=+*#%@"
    top = values.max()
    return "".join(ramp[int(v / top * 9)] for v in values)


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(5)
    net = PromoterNet()
    opt = torch.optim.Adam(net.parameters(), lr=4e-3)
    movie, stop = attention_movie(net.pool, every=4)
    hits = 0
    for step in range(1, STEPS + 1):
        x, y = make_batch()
        logits = net(x)
        loss = F.cross_entropy(logits, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        hits += (logits.argmax(1) == y).sum().item()
        if step % 80 == 0:
            print(f"{step:4d} loss {loss.item():.3f} acc {hits / (80 * BATCH):.3f}")
            hits = 0
    stop()
    for frame in movie()[::20]:
        print("|" + sparkline(frame.detach()) + "|")
