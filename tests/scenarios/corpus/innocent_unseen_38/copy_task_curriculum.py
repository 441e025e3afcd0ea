# gradwatch-corpus: kind=none
"""Copy memory task for a recurrent net with an external memory; the sequences get longer as it learns."""
import torch
import torch.nn as nn
import torch.nn.functional as F


class MemoryCell(nn.Module):
    """GRU controller with content-addressed slots (a much reduced NTM)."""

    def __init__(self, n_in, n_hid=48, slots=16, width=12):
        super().__init__()
        self.slots, self.width, self.n_hid = slots, width, n_hid
        self.ctrl = nn.GRUCell(n_in + width, n_hid)
        self.read_key = nn.Linear(n_hid, width)
        self.write = nn.Linear(n_hid, slots + 2 * width)
        self.out = nn.Linear(n_hid + width, n_in)

    def blank(self, batch):
        return (
            torch.zeros(batch, self.n_hid),
            torch.zeros(batch, self.width),
            1e-3 * torch.ones(batch, self.slots, self.width),
        )

    def forward(self, x, state):
        h, r, mem = state
        h = self.ctrl(torch.cat([x, r], 1), h)
        where, erase, add = self.write(h).split([self.slots, self.width, self.width], 1)
        where = F.softmax(where, 1).unsqueeze(2)
        mem = mem * (1 - where * torch.sigmoid(erase).unsqueeze(1)) + where * torch.tanh(add).unsqueeze(1)
        score = torch.einsum("bsw,bw->bs", mem, self.read_key(h))
        r = torch.einsum("bs,bsw->bw", F.softmax(score, 1), mem)
        return self.out(torch.cat([h, r], 1)), (h, r, mem)


class CopyTask:
    def __init__(self, bits=5, batch=16):
        self.bits, self.batch = bits, batch
        self.length = 1

    def draw(self, length=None):
        n = length or self.length
        seq = torch.randint(2, (n, self.batch, self.bits)).float()
        go = torch.zeros(1, self.batch, self.bits + 1)
        go[..., -1] = 1
        shown = F.pad(seq, (0, 1))
        silent = torch.zeros(n, self.batch, self.bits + 1)
        return torch.cat([shown, go, silent]), seq


class Curriculum:
    """One step longer every few updates, up to a ceiling."""

    def __init__(self, task, every, ceiling):
        self.task, self.every, self.ceiling = task, every, ceiling

    def after_update(self, i):
        if (i + 1) % self.every == 0 and self.task.length < self.ceiling:
            self.task.length += 1


def run(cell, x, n):
    state, outs = cell.blank(x.size(1)), []
    for x_t in x:
        y, state = cell(x_t, state)
        outs.append(y)
    return torch.stack(outs[-n:])[..., :-1]


def train(iters=84):
    torch.manual_seed(30)
    task = CopyTask()
    cell = MemoryCell(task.bits + 1)
    plan = Curriculum(task, every=4, ceiling=30)
    opt = torch.optim.RMSprop(cell.parameters(), lr=2e-3, momentum=0.9)
    losses = []

    for i in range(iters):
        x, target = task.draw()
        logits = run(cell, x, len(target))
        loss = F.binary_cross_entropy_with_logits(logits, target)
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_value_(cell.parameters(), 1.0)
        opt.step()
        losses.append(loss.item())
        plan.after_update(i)
        if i % 10 == 9:
            with torch.no_grad():
                x, target = task.draw(length=8)
                wrong = ((run(cell, x, 8) > 0).float() != target).float().mean().item()
            print(f"{i + 1:4d}  len {task.length:2d}  bce {sum(losses[-10:]) / 10:.4f}  bit error at 8: {wrong:.3f}")


if __name__ == "__main__":
    train()
