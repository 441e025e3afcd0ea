# gradwatch-corpus: kind=none
# Filter bank with fixed decay: the state is carried through a long start-up phase in full,
# after which gradients go back a window of WINDOW samples only.
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(0)

WARMUP, WINDOW, STEPS = 40, 6, 400
BATCH, INPUT, STATES = 10, 5, 16


class Signal:
    def __init__(self):
        self.mix = torch.randn(INPUT, 1) / INPUT ** 0.5
        self.memory = torch.zeros(BATCH, 1)

    def sample(self):
        x = torch.randn(BATCH, INPUT)
        self.memory = 0.85 * self.memory + x @ self.mix
        return x, torch.tanh(self.memory)


class Bank(nn.Module):
    """s <- d*s + Wx, fixed decays d, learned W; readout from a separate head."""

    def __init__(self):
        super().__init__()
        self.inp = nn.Linear(INPUT, STATES)
        self.head = nn.Linear(STATES, 1)
        self.register_buffer("decay", torch.linspace(0.3, 0.95, STATES))

    def forward(self, x, s):
        s = self.decay * s + self.inp(x)
        return self.head(s), s


net = Bank()
opt = torch.optim.Adam(net.parameters(), lr=0.005)
sig = Signal()
s = torch.zeros(BATCH, STATES)
ema = None

for t in range(STEPS):
    x, y = sig.sample()
    # the bank is far from its working range at the start: see the whole past once
    whole_past = t < WARMUP
    if not whole_past and (t - WARMUP) % WINDOW == 0:
        s = s.detach()
    pred, s = net(x, s)
    loss = (pred - y).pow(2).mean()
    opt.zero_grad()
    loss.backward(retain_graph=True)
    opt.step()
    ema = loss.item() if ema is None else 0.97 * ema + 0.03 * loss.item()
    if (t + 1) % 80 == 0:
        print(f"t={t + 1} mse(ema)={ema:.4f} phase={'full' if whole_past else 'window'}")

print("largest input weight", net.inp.weight.abs().max().item())
