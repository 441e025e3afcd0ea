# gradwatch-corpus: kind=none
"""Electricity load forecasting, stateful LSTM.

Losses of K consecutive steps are collected and walked together; the state goes through
the whole stream. k1 = k2 = K (see the forum thread "Implementing truncated BPTT").
"""
import numpy as np
import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(6)
rng = np.random.default_rng(6)

HIDDEN, STREAMS, K, UPDATES = 20, 6, 8, 320


def load_curve(n):
    t = np.arange(n)
    day = np.sin(2 * np.pi * t / 24) + 0.4 * np.sin(2 * np.pi * t / 12 + 1)
    week = 0.5 * (np.sin(2 * np.pi * t / 168) > 0)
    return (day + week + 0.1 * rng.standard_normal(n)).astype("float32")


class Forecaster(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.LSTMCell(1, HIDDEN)
        self.cell2 = nn.LSTMCell(HIDDEN, HIDDEN)
        self.head = nn.Linear(HIDDEN, 1)
        self.states = None

    def init_states(self, batch):
        z = lambda: torch.zeros(batch, HIDDEN)
        self.states = [(z(), z()), (z(), z())]

    def forward(self, x):
        s1, s2 = self.states
        s1 = self.cell(x, s1)
        s2 = self.cell2(s1[0], s2)
        self.states = [s1, s2]
        return self.head(s2[0]) + x


def repackage_hidden(h):
    """Wraps hidden states in new Tensors, to detach them from their history."""
    if isinstance(h, torch.Tensor):
        return h.detach()
    return type(h)(repackage_hidden(v) for v in h)


series = torch.from_numpy(np.stack([load_curve(UPDATES * K + 1) for _ in range(STREAMS)], 1)).unsqueeze(2)
model = Forecaster()
model.init_states(STREAMS)
optimizer = torch.optim.RMSprop(model.parameters(), lr=1e-3)
scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, factor=0.5, patience=3)
criterion = nn.SmoothL1Loss()

pending, epoch_losses, state_norms = [], [], []
updates = 0
for step in range(UPDATES * K):
    x, y = series[step], series[step + 1]
    out = model(x)
    pending.append(criterion(out, y))
    if len(pending) == K:
        optimizer.zero_grad()
        loss = sum(pending) / len(pending)
        loss.backward(retain_graph=True)
        nn.utils.clip_grad_norm_(model.parameters(), 0.5)
        optimizer.step()
        model.states = repackage_hidden(model.states)
        state_norms.append(model.states[1][0].norm())
        pending = []
        updates += 1
        epoch_losses.append(loss.item())
        if updates % 40 == 0:
            m = sum(epoch_losses[-40:]) / 40
            scheduler.step(m)
            print(f"update {updates:3d} loss {m:.5f} |h| {torch.stack(state_norms[-40:]).mean():.2f} "
                  f"lr {optimizer.param_groups[0]['lr']:.1e}")

naive = (series[1:] - series[:-1]).abs().mean().item()
print(f"naive MAE {naive:.4f}; states kept for the next day: {len(model.states)}")
