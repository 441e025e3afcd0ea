# gradwatch-corpus: kind=graph-held
# holder: problems | exc | exc.__traceback__
# first-bad: 5
# notice: 30
"""HW2: classify machine states from sensor windows. Some windows come from a broken logger, so the loss function
refuses them and we repair the batch; at the end we hand in an account of what was refused."""

import random

import torch
import torch.nn as nn
import torch.optim as optim

SEED = 31
random.seed(SEED)
torch.manual_seed(SEED)

N_STEPS = 300
BATCH = 40
WINDOW = 24
CHANNELS = 3
STATES = 4


class BadBatch(ValueError):
    """The loss of a batch is of no use."""


class WindowNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(CHANNELS, 16, 5, padding=2)
        self.conv2 = nn.Conv1d(16, 16, 5, padding=2)
        self.fc = nn.Linear(16, STATES)

    def forward(self, x):
        x = torch.relu(self.conv(x))
        x = torch.relu(self.conv2(x))
        return self.fc(x.mean(dim=2))


# ---- data -----------------------------------------------------------------
def make_batch(step):
    y = torch.randint(0, STATES, (BATCH,))
    t = torch.linspace(0, 1, WINDOW)
    freq = (y + 1).float().view(-1, 1, 1) * 4
    x = torch.sin(freq * t + torch.rand(BATCH, CHANNELS, 1) * 3) + 0.4 * torch.randn(BATCH, CHANNELS, WINDOW)
    if step % 5 == 4:                       # every fifth file was written by the broken logger
        x[random.randrange(BATCH), 0, random.randrange(WINDOW)] = float("nan")
    return x, y


# ---- training -------------------------------------------------------------
def loss_of(model, x, y, criterion):
    logits = model(x)
    loss = criterion(logits, y)
    if not torch.isfinite(loss):
        raise BadBatch(f"{int(torch.isnan(logits).any(1).sum())} rows without a finite prediction")
    return loss, (logits.argmax(1) == y).float().mean().item()


def repair(x):
    return torch.nan_to_num(x, nan=0.0)


def train():
    model = WindowNet()
    criterion = nn.CrossEntropyLoss()
    optimizer = optim.Adam(model.parameters(), lr=5e-3)
    problems = []
    acc_sum, acc_n = 0.0, 0

    for step in range(N_STEPS):
        x, y = make_batch(step)
        optimizer.zero_grad()
        try:
            loss, acc = loss_of(model, x, y, criterion)
        except BadBatch as exc:
            problems.append((step, exc))  # <- culprit
            loss, acc = loss_of(model, repair(x), y, criterion)
        loss.backward()
        optimizer.step()

        acc_sum += acc
        acc_n += 1
        if (step + 1) % 60 == 0:
            print(f"step {step + 1}: loss {loss.item():.4f}, accuracy {acc_sum / acc_n:.3f}, "
                  f"repaired so far {len(problems)}")
            acc_sum, acc_n = 0.0, 0
    return model, problems


def account(problems):
    lines = [f"  batch {step}: {exc}" for step, exc in problems]
    print(f"{len(lines)} batches were refused, the last of them:")
    print("\n".join(lines[-3:]))


if __name__ == "__main__":
    model, problems = train()
    account(problems)
    x, y = make_batch(0)
    with torch.no_grad():
        print("fresh batch accuracy:", (model(x).argmax(1) == y).float().mean().item())
