# gradwatch-corpus: kind=graph-chain
# holder: delta
# first-bad: 1
# Keyword spotting, hardened with one noise vector shared by all clips
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)

SR = 2000
CLIP = 1000
WORDS = ["yes", "no", "stop", "go"]
STEPS = 110
ALPHA = 2e-4


def make_clip(label):
    t = torch.arange(CLIP) / SR
    f0 = 80.0 + 60.0 * label + 5.0 * torch.randn(1)
    phase = 6.28 * torch.rand(1)
    x = torch.sin(6.28 * f0 * t + phase)
    x = x + 0.4 * torch.sin(6.28 * 2.1 * f0 * t)
    return x + 0.2 * torch.randn(CLIP)


def get_batch(n):
    labels = torch.randint(0, len(WORDS), (n,))
    clips = [make_clip(int(k)) for k in labels]
    return torch.stack(clips), labels


class KWS(nn.Module):
    def __init__(self, n_classes):
        super().__init__()
        self.front = nn.Conv1d(1, 16, 64, stride=16)
        self.mid = nn.Conv1d(16, 24, 5, stride=2)
        self.out = nn.Linear(24, n_classes)

    def forward(self, wav):
        h = wav.unsqueeze(1)
        h = F.relu(self.front(h))
        h = F.relu(self.mid(h))
        return self.out(h.mean(2))


net = KWS(len(WORDS))
optim = torch.optim.Adam(net.parameters(), lr=3e-3)
delta = torch.zeros(CLIP, requires_grad=True)
log = []

net.train()
for step in range(STEPS):
    wav, labels = get_batch(16)
    optim.zero_grad()

    noisy = wav + delta
    logits = net(noisy)
    loss = F.cross_entropy(logits, labels)
    if delta.requires_grad and not delta.is_leaf:
        delta.retain_grad()
    loss.backward()

    # climb on the noise, descend on the net, both from the same backward
    direction = delta.grad.sign()
    delta = delta + ALPHA * direction  # <- culprit
    optim.step()

    acc = (logits.argmax(1) == labels).float().mean().item()
    log.append((loss.item(), acc))
    if step % 22 == 21:
        recent = log[-22:]
        mean_loss = sum(r[0] for r in recent) / len(recent)
        mean_acc = sum(r[1] for r in recent) / len(recent)
        print("step %d  loss %.3f  acc %.2f  |noise| %.4f" % (step, mean_loss, mean_acc, delta.norm().item()))

net.eval()
with torch.no_grad():
    wav, labels = get_batch(64)
    clean = (net(wav).argmax(1) == labels).float().mean().item()
    attacked = (net(wav + delta).argmax(1) == labels).float().mean().item()
print("clean", clean, "with noise", attacked)
