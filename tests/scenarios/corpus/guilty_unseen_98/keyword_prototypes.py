# gradwatch-corpus: kind=graph-chain
# holder: protos | protos[c]
# first-bad: 1
# notice: 5
"""
Keyword spotting with class prototypes (course project, week 6).

Each keyword has a prototype = moving average of the embeddings of its clips.
A clip is classified by the distance to the prototypes.
Synthetic "mel" vectors so that it runs anywhere.
"""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(6)
torch.set_num_threads(1)

N_CLASS = 3
N_MEL = 40
EMB = 16
MOMENTUM = 0.9
STEPS = 130

centers = torch.randn(N_CLASS, N_MEL)


def get_batch(n=30):
    y = torch.randint(0, N_CLASS, (n,))
    # at least one of each class, makes the mean below simpler
    y[:N_CLASS] = torch.arange(N_CLASS)
    x = centers[y] + 0.9 * torch.randn(n, N_MEL)
    # small random gain, like different microphones
    x = x * (0.8 + 0.4 * torch.rand(n, 1))
    return x, y


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(N_MEL, EMB)

    def forward(self, x):
        return torch.tanh(self.fc(x))


def update_protos(protos, z, y):
    for c in range(N_CLASS):
        mine = (y == c).float()
        m = mine @ z / mine.sum()
        if protos[c] is None:
            protos[c] = m  # <- culprit
        else:
            protos[c] = MOMENTUM * protos[c] + (1 - MOMENTUM) * m  # <- culprit


def evaluate(enc, protos):
    with torch.no_grad():
        x, y = get_batch(200)
        d = torch.cdist(enc(x), torch.stack(protos))
        return (d.argmin(dim=1) == y).float().mean().item()


enc = Encoder()
scale = nn.Parameter(torch.tensor(2.0))
opt = torch.optim.Adam([
    {"params": enc.parameters(), "lr": 3e-3},
    {"params": [scale], "lr": 1e-2},
])
protos = [None] * N_CLASS

running = 0.0
for step in range(STEPS):
    x, y = get_batch()
    z = enc(x)
    update_protos(protos, z, y)

    dist = torch.cdist(z, torch.stack(protos))
    logits = -dist * scale
    loss = F.cross_entropy(logits, y)

    opt.zero_grad()
    loss.backward(retain_graph=True)  # pytorch asked for retain_graph
    opt.step()

    running = 0.95 * running + 0.05 * loss.item()
    if step % 40 == 0:
        print(f"step {step:4d}  loss {running:.4f}  acc {evaluate(enc, protos):.3f}")

print("final accuracy:", evaluate(enc, protos))
