# gradwatch-corpus: kind=none
"""Grid load forecasting with truncated BPTT, k1=5 steps between walks, each walk k2=15 steps deep."""
import torch
from torch import nn

torch.manual_seed(0)
torch.set_num_threads(1)


class TBPTT:
    def __init__(self, cell, head, k1, k2, opt):
        self.cell, self.head = cell, head
        self.k1, self.k2, self.opt = k1, k2, opt

    def train(self, xs, ys):
        states = [(None, torch.zeros(xs.shape[1], self.cell.hidden_size))]
        total = 0.0
        self.opt.zero_grad()
        for j, (x, y) in enumerate(zip(xs, ys)):
            state = states[-1][1].detach()
            state.requires_grad = True
            new = self.cell(x, state)
            states.append((state, new))
            while len(states) > self.k2:
                del states[0]
            if (j + 1) % self.k1 == 0:
                loss = nn.functional.mse_loss(self.head(new).squeeze(-1), y)
                total += loss.item()
                loss.backward(retain_graph=True)
                for i in range(self.k2 - 1):
                    if len(states) < i + 2 or states[-i - 2][0] is None:
                        break
                    grad = states[-i - 1][0].grad
                    states[-i - 2][1].backward(grad, retain_graph=True)
                for s, _ in states:
                    if s is not None:
                        s.grad = None
        torch.nn.utils.clip_grad_norm_(list(self.cell.parameters()) + list(self.head.parameters()), 1.0)
        self.opt.step()
        return total


def load_curve(n_steps, batch):
    phase = torch.rand(batch) * 6.28
    t = torch.arange(n_steps + 1)[:, None]
    s = torch.sin(t / 5.0 + phase) + 0.3 * torch.sin(t / 1.7 + 2 * phase)
    return s[:-1, :, None], s[1:]


cell, head = nn.GRUCell(1, 16), nn.Linear(16, 1)
opt = torch.optim.Adam([*cell.parameters(), *head.parameters()], lr=3e-3)
tbptt = TBPTT(cell, head, k1=5, k2=15, opt=opt)
for day in range(100):
    xs, ys = load_curve(30, 8)
    total = tbptt.train(xs, ys)
    if day % 20 == 19:
        print(day, f"{total / 6:.4f}")
