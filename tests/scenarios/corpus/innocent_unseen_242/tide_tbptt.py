# gradwatch-corpus: kind=none
# tide gauge series, GRU + LSTM stack, truncated at 10 samples
import json

import torch
import torch.nn as nn

torch.manual_seed(4)

HARBOURS = 8
CHUNK = 10
CHUNKS = 100

t = torch.arange(CHUNK * CHUNKS + 1, dtype=torch.float32)
amp = 0.6 + 0.8 * torch.rand(HARBOURS, 3)
ph = 6.28 * torch.rand(HARBOURS, 3)
freq = torch.tensor([0.506, 0.524, 0.262])
series = (amp[:, :, None] * torch.sin(freq[None, :, None] * t + ph[:, :, None])).sum(1)
series = series + 0.03 * torch.randn_like(series)


class TideNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.gru = nn.GRU(1, 16, batch_first=True)
        self.lstm = nn.LSTM(16, 12, batch_first=True)
        self.out = nn.Linear(12, 1)

    def forward(self, x, states):
        a, g = self.gru(x, states["gru"])
        b, (h, c) = self.lstm(a, (states["h"], states["c"]))
        return self.out(b)[:, :, 0], {"gru": g, "h": h, "c": c}


def fresh():
    return {
        "gru": torch.zeros(1, HARBOURS, 16),
        "h": torch.zeros(1, HARBOURS, 12),
        "c": torch.zeros(1, HARBOURS, 12),
    }


def cut(states):
    return {k: v.detach() for k, v in states.items()}


net = TideNet()
opt = torch.optim.Adam(net.parameters(), lr=6e-3)
states = fresh()
history = []
best = {"loss": float("inf"), "states": None}
smooth = None

for k in range(CHUNKS):
    a = k * CHUNK
    x = series[:, a:a + CHUNK, None]
    y = series[:, a + 1:a + CHUNK + 1]
    pred, states = net(x, states)
    loss = nn.functional.mse_loss(pred, y)
    opt.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    opt.step()
    states = cut(states)
    value = loss.item()
    smooth = value if smooth is None else 0.9 * smooth + 0.1 * value
    if smooth < best["loss"]:
        best["loss"] = smooth
        best["states"] = {n: v.clone() for n, v in states.items()}
    history.append({"chunk": k, "loss": round(value, 5), "smooth": round(smooth, 5)})

for row in history[::20]:
    print(json.dumps(row))
with torch.no_grad():
    pred, _ = net(series[:, -2:-1, None], best["states"])
print("best smooth", round(best["loss"], 4), "one step ahead from best state", [round(v, 2) for v in pred[:3, 0].tolist()])
