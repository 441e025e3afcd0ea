# gradwatch-corpus: kind=none
"""Turn-by-turn intent model with a written memory, cut by a context manager after each turn group."""
from contextlib import contextmanager
from dataclasses import dataclass, fields

import torch
from torch import nn
import torch.nn.functional as F


@dataclass
class DialogState:
    memory: torch.Tensor
    usage: torch.Tensor
    read: torch.Tensor

    def tensors(self):
        return {f.name: getattr(self, f.name) for f in fields(self)}

    def cut(self):
        return DialogState(**{k: v.data for k, v in self.tensors().items()})

    def reset_rows(self, done):
        keep = (~done).float()
        return DialogState(self.memory * keep[:, None, None], self.usage * keep[:, None], self.read * keep[:, None])


class SlotMemory(nn.Module):
    def __init__(self, inp, slots=6, width=16):
        super().__init__()
        self.slots, self.width = slots, width
        self.ctrl = nn.GRUCell(inp, width)
        self.key, self.write, self.erase = (nn.Linear(width, width) for _ in range(3))

    def start(self, batch):
        return DialogState(0.01 * torch.randn(batch, self.slots, self.width),
                           torch.zeros(batch, self.slots), torch.zeros(batch, self.width))

    def forward(self, x, st):
        h = self.ctrl(x, st.read)
        w = F.softmax((st.memory @ self.key(h).unsqueeze(-1)).squeeze(-1) - st.usage, -1)
        mem = st.memory * (1 - w.unsqueeze(-1) * torch.sigmoid(self.erase(h)).unsqueeze(1))
        mem = mem + w.unsqueeze(-1) * torch.tanh(self.write(h)).unsqueeze(1)
        a = F.softmax((mem @ h.unsqueeze(-1)).squeeze(-1), -1)
        return h, DialogState(mem, 0.9 * st.usage + w, (a.unsqueeze(1) @ mem).squeeze(1))


class Session:
    def __init__(self, net, batch):
        self.state = net.start(batch)
        self.groups = 0

    @contextmanager
    def group(self, done):
        self.state = self.state.reset_rows(done)
        try:
            yield self
        finally:
            self.state = self.state.cut()
            self.groups += 1


def turns(batch, groups, size, inp, seed):
    g = torch.Generator().manual_seed(seed)
    topic = torch.randint(0, 3, (batch,), generator=g)
    for _ in range(groups):
        done = torch.rand(batch, generator=g) < 0.2
        topic = torch.where(done, torch.randint(0, 3, (batch,), generator=g), topic)
        x = torch.randn(size, batch, inp, generator=g)
        x[0, :, :3] += 2 * F.one_hot(topic, 3)
        act = torch.randint(0, 4, (size, batch), generator=g)
        x[:, :, 3:7] += 2 * F.one_hot(act, 4)
        yield done, x, act * 3 + topic


def main():
    torch.manual_seed(18)
    net, head = SlotMemory(10), nn.Linear(32, 12)
    params = [*net.parameters(), *head.parameters()]
    opt = torch.optim.Adam(params, lr=4e-3)
    session, log = Session(net, 16), []
    for it, (done, xs, ys) in enumerate(turns(16, 130, 6, 10, 18)):
        with session.group(done) as s:
            outs = []
            for x in xs:
                h, s.state = net(x, s.state)
                outs.append(head(torch.cat([h, s.state.read], -1)))
            loss = F.cross_entropy(torch.stack(outs).flatten(0, 1), ys.flatten())
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(params, 1.0)
            opt.step()
        log.append(loss.item())
        if it % 30 == 0:
            print(it, log[-1], s.state.usage.mean().item())


if __name__ == "__main__":
    main()
