# gradwatch-corpus: kind=graph-chain
# holder: smooth
# first-bad: 1
"""Linear probe on frozen log-spectrogram features of synthetic instrument notes."""
import torch
import torch.nn as nn

SR = 4000
DUR = 0.25
N_CLASSES = 4


def synth(label, f0, noise):
    t = torch.arange(int(SR * DUR)) / SR
    if label == 0:
        partials = [1.0]
    elif label == 1:
        partials = [1.0, 0.0, 0.5, 0.0, 0.3]
    elif label == 2:
        partials = [0.6, 0.5, 0.4, 0.3]
    else:
        partials = [0.2, 1.0, 0.2, 0.8]
    wave = sum(a * torch.sin(2 * torch.pi * f0 * (k + 1) * t) for k, a in enumerate(partials))
    return wave + noise * torch.randn(t.numel())


def log_spec(wave, n_fft=128):
    win = torch.hann_window(n_fft)
    s = torch.stft(wave, n_fft, hop_length=64, window=win, return_complex=True).abs()
    return torch.log1p(s).mean(-1)


def build_dataset(n):
    feats, labels = [], []
    for _ in range(n):
        y = int(torch.randint(0, N_CLASSES, ()))
        f0 = 150 + 150 * float(torch.rand(()))
        feats.append(log_spec(synth(y, f0, 0.3)))
        labels.append(y)
    x = torch.stack(feats)
    return (x - x.mean(0)) / (x.std(0) + 1e-4), torch.tensor(labels)


torch.manual_seed(5)
X, Y = build_dataset(480)
train_x, train_y = X[:400], Y[:400]
test_x, test_y = X[400:], Y[400:]

probe = nn.Linear(train_x.shape[1], N_CLASSES)
optimizer = torch.optim.SGD(probe.parameters(), lr=0.02, momentum=0.5)
criterion = nn.CrossEntropyLoss()

smooth = 0.0
beta = 0.9
batch = 20
step = 0
for epoch in range(22):
    order = torch.randperm(len(train_x))
    for i in range(0, len(order), batch):
        idx = order[i:i + batch]
        loss = criterion(probe(train_x[idx]), train_y[idx])
        smooth = loss if step == 0 else beta * smooth + (1 - beta) * loss  # <- culprit

        optimizer.zero_grad()
        smooth.backward(retain_graph=True)
        optimizer.step()
        step += 1

    with torch.no_grad():
        acc = (probe(test_x).argmax(1) == test_y).float().mean()
    print(f"epoch {epoch:2d}  smoothed {smooth.item():.4f}  test acc {acc:.3f}")
