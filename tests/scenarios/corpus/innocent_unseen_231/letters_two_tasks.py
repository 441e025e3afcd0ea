# gradwatch-corpus: kind=none
# Text: language of a word AND number of syllables, shared trunk, tasks balanced by gradient norm
import random

import torch
import torch.nn as nn

random.seed(5)
torch.manual_seed(5)

vowels = "aeiou"
hard = "ktrzsh"
soft = "lmnvbd"


def word():
    lang = random.randint(0, 1)
    cons = hard if lang else soft
    n = random.randint(1, 4)
    w = ""
    for _ in range(n):
        w += random.choice(cons) + random.choice(vowels)
    if random.random() < 0.2:
        w += random.choice(hard + soft)
    return w, lang, n


letters = sorted(set(vowels + hard + soft))


def batch(size):
    bag = torch.zeros(size, len(letters) * 10)
    langs = []
    counts = []
    for k in range(size):
        w, lang, n = word()
        for j, ch in enumerate(w):
            bag[k, j * len(letters) + letters.index(ch)] = 1
        langs.append(lang)
        counts.append(n)
    return bag, torch.tensor(langs), torch.tensor(counts, dtype=torch.float32)


trunk = nn.Sequential(nn.Linear(len(letters) * 10, 64), nn.ReLU(), nn.Linear(64, 32), nn.ReLU())
lang_head = nn.Linear(32, 2)
count_head = nn.Linear(32, 1)
params = [*trunk.parameters(), *lang_head.parameters(), *count_head.parameters()]
opt = torch.optim.SGD(params, lr=0.05, momentum=0.8)
ce = nn.CrossEntropyLoss()
mse = nn.MSELoss()
ratio = 1.0
ratios = []

for it in range(160):
    x, lang, count = batch(32)
    shared = trunk(x)
    loss_a = ce(lang_head(shared), lang)
    loss_b = mse(count_head(shared).squeeze(1), count)

    opt.zero_grad()
    loss_a.backward(retain_graph=True)
    grads_a = [p.grad.clone() for p in trunk.parameters()]
    norm_a = torch.stack([g.norm() for g in grads_a]).norm()
    trunk.zero_grad()
    loss_b.backward()
    norm_b = torch.stack([p.grad.norm() for p in trunk.parameters()]).norm()

    ratio = 0.9 * ratio + 0.1 * (norm_a / (norm_b + 1e-8)).clamp(0.1, 10)
    ratios.append(ratio)
    for p, g in zip(trunk.parameters(), grads_a):
        p.grad.mul_(min(float(ratio), 1.0)).add_(g)
    opt.step()
    if it % 40 == 0:
        print(f"{it:4d} language {loss_a.item():.4f} syllables {loss_b.item():.4f} ratio {float(ratio):.3f}")

print("ratio range", min(map(float, ratios)), max(map(float, ratios)))
