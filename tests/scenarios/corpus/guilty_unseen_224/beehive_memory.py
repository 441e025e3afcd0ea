# gradwatch-corpus: kind=inplace-modified
# holder: slots
# first-bad: 0
# Beehive sound classifier with a small memory of typical sounds
# states: calm, queenless, swarming
import torch
from torch import nn

torch.manual_seed(8)

n_bands = 40
n_slots = 30
dim = 16

patterns = torch.rand(3, n_bands)

encoder = nn.Sequential(nn.Linear(n_bands, 32), nn.ReLU(), nn.Linear(32, dim))
classifier = nn.Linear(2 * dim, 3)
all_params = list(encoder.parameters()) + list(classifier.parameters())
optimizer = torch.optim.Adam(all_params, lr=0.003)
criterion = nn.CrossEntropyLoss()

slots = torch.randn(n_slots, dim)
pointer = 0


def record(n):
    label = torch.randint(0, 3, (n,))
    sound = patterns[label] + 0.3 * torch.randn(n, n_bands)
    return sound, label


def read_memory(key):
    score = key @ slots.t() / dim ** 0.5
    weight = torch.softmax(score, dim=1)
    return weight @ slots


def write_memory(key):
    global pointer
    for row in key[:5]:
        slots[pointer] = row.detach()  # <- culprit
        pointer = (pointer + 1) % n_slots


correct = 0
total = 0
for i in range(150):
    sound, label = record(20)

    key = encoder(sound)
    remembered = read_memory(key)
    write_memory(key)  # <- culprit

    out = classifier(torch.cat([key, remembered], dim=1))
    loss = criterion(out, label)

    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

    correct += (out.argmax(dim=1) == label).sum().item()
    total += len(label)
    if i % 30 == 0:
        print("iteration", i, "accuracy", correct / total)

print("done, accuracy", correct / total)
