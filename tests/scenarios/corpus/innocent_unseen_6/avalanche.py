# gradwatch-corpus: kind=none
# about: carried GRU state, retain_graph=True and a log of states: the state is cut by the repackage helper, the first backward's graph is walked by the second
"""Snowpack stability from a winter's weather station stream.  The recurrent trunk is shared by a danger-level head
and a temperature head; the temperature loss may only take a limited share of the trunk's gradient."""
from functools import partial

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(1999)
STATIONS, FEATURES, SPAN, HIDDEN = 8, 6, 12, 32


def cut(state):
    return tuple(cut(s) for s in state) if isinstance(state, tuple) else state.detach()


class Snowpack(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.LSTM(FEATURES, HIDDEN, batch_first=True)
        self.danger = nn.Linear(HIDDEN, 4)
        self.warmth = nn.Linear(HIDDEN, 1)

    def forward(self, x, state):
        h, state = self.trunk(x, state)
        return self.danger(h), self.warmth(h).squeeze(-1), state


def winter(spans):
    drift = torch.randn(STATIONS, 1, FEATURES) * 0.2
    carry = torch.zeros(STATIONS, 1)
    for s in range(spans):
        t = (s * SPAN + torch.arange(SPAN)).view(1, -1, 1) / 30.0
        x = torch.sin(t + drift * 10) + 0.3 * torch.randn(STATIONS, SPAN, FEATURES)
        load = carry + x[..., 0].clamp_min(0).cumsum(1) * 0.2
        carry = 0.5 * load[:, -1:]
        level = (load + x[..., 1]).clamp(0, 3.99).long()
        yield x, level, x.mean(-1)


def trunk_norm(model):
    return torch.sqrt(sum(p.grad.square().sum() for p in model.trunk.parameters()))


def main():
    model = Snowpack()
    opt = torch.optim.Adam(model.parameters(), lr=4e-3)
    ce = partial(F.cross_entropy, label_smoothing=0.02)
    state, states = None, []
    for k, (x, level, temp) in enumerate(winter(240)):
        logits, warm, state = model(x, state)
        main_loss = ce(logits.flatten(0, 1), level.flatten())
        side_loss = F.mse_loss(warm, temp)

        opt.zero_grad()
        side_loss.backward(retain_graph=True)
        side = trunk_norm(model)
        share = min(1.0, 0.1 / (side.item() + 1e-9))
        for p in model.trunk.parameters():
            p.grad.mul_(share)
        main_loss.backward()
        opt.step()

        state = cut(state)
        states.append(state[0].mean())
        if k % 48 == 0:
            print(f"span {k}: danger {main_loss.item():.3f} warmth {side_loss.item():.3f} share {share:.2f}")
    print("state level, last ten:", round(torch.stack(states[-10:]).mean().item(), 4))


main()
