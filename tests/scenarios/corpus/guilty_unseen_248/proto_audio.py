# gradwatch-corpus: kind=inplace-modified
# holder: model.prototypes | self.prototypes
# first-bad: 14
# Keyword spotting on fake MFCC frames with learnable class prototypes (cosine classifier)
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(404)
torch.set_num_threads(1)

WORDS = ["yes", "no", "up", "down", "left", "right"]
N_MFCC = 20
FRAMES = 32
RENORM_EVERY = 15


class KeywordNet(nn.Module):
    def __init__(self, emb_dim=32, n_classes=len(WORDS)):
        super().__init__()
        self.gru = nn.GRU(N_MFCC, 40, batch_first=True)
        self.fc = nn.Linear(40, emb_dim)
        self.prototypes = nn.Parameter(torch.randn(n_classes, emb_dim))
        self.scale = nn.Parameter(torch.tensor(5.0))

    def embed(self, x):
        _, h = self.gru(x)
        return F.normalize(self.fc(h[-1]), dim=1)

    def forward(self, x):
        return self.scale * (self.embed(x) @ self.prototypes.t())

    @torch.no_grad()
    def renorm(self):
        norms = self.prototypes.norm(dim=1, keepdim=True)
        self.prototypes.div_(norms)  # <- culprit
        return norms.max().item()


templates = torch.randn(len(WORDS), FRAMES, N_MFCC)


def get_batch(batch_size=24):
    y = torch.randint(len(WORDS), (batch_size,))
    shift = int(torch.randint(-3, 4, (1,)))
    x = torch.roll(templates[y], shift, dims=1)
    return x + 1.2 * torch.randn_like(x), y


class Meter:
    def __init__(self, momentum=0.9):
        self.value = None
        self.momentum = momentum

    def add(self, x):
        if self.value is None:
            self.value = x
        else:
            self.value = self.momentum * self.value + (1 - self.momentum) * x


def train(model, n_steps=120):
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    loss_meter = Meter()
    acc_meter = Meter()
    max_norm = float("nan")
    for step in range(1, n_steps + 1):
        x, y = get_batch()
        logits = model(x)
        loss = F.cross_entropy(logits, y)

        if step % RENORM_EVERY == 0:
            max_norm = model.renorm()  # <- culprit

        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

        loss_meter.add(loss.item())
        acc_meter.add((logits.argmax(1) == y).float().mean().item())
        if step % 7 == 0:
            print(f"{step:4d}: loss {loss_meter.value:.3f} acc {acc_meter.value:.3f} max norm {max_norm:.2f}")
    return model


def confusion(model, n=200):
    model.eval()
    with torch.no_grad():
        x, y = get_batch(n)
        pred = model(x).argmax(1)
    table = torch.zeros(len(WORDS), len(WORDS), dtype=torch.long)
    for t, p in zip(y.tolist(), pred.tolist()):
        table[t, p] += 1
    return table


if __name__ == "__main__":
    net = train(KeywordNet())
    print(confusion(net))
