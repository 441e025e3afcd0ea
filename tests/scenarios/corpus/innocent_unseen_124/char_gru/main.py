# gradwatch-corpus: kind=none
import torch

from cell import GRUText
from text import Windows

torch.set_num_threads(1)
torch.manual_seed(1)


def repackage(state):
    if isinstance(state, tuple):
        return tuple(repackage(s) for s in state)
    return state.detach()


windows = Windows("the quick brown fox jumps over the lazy dog and runs away again " * 40, rows=8, span=8)
net = GRUText(windows.n_chars, 24)
opt = torch.optim.Adam(net.parameters(), lr=5e-3)
seen = 0
for epoch in range(14):
    state = net.blank(windows.rows)
    total = 0.0
    for x, y in windows:
        state = repackage(state)
        logits, state = net(x, state)
        loss = torch.nn.functional.cross_entropy(logits.flatten(0, 1), y.flatten())
        opt.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
        total += loss.item()
        seen += 1
    print(epoch, seen, f"{total:.3f}")
