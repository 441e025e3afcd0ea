# gradwatch-corpus: kind=none
# %% Next-note model with an external memory of past bars
import copy

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(27)
NOTES, BAR, BATCH, HID, MEM = 24, 8, 16, 32, 10

# %% melodies: each voice repeats one of its own motifs, transposed
motifs = torch.randint(0, 12, (BATCH, 4, BAR))


def next_bar():
    which = torch.randint(0, 4, (BATCH,))
    shift = torch.randint(0, 2, (BATCH, 1)) * 7
    return (motifs[torch.arange(BATCH), which] + shift) % NOTES


# %% model
class Composer(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(NOTES, 16)
        self.gru = nn.GRU(16, HID, batch_first=True)
        self.q = nn.Linear(HID, HID)
        self.out = nn.Linear(2 * HID, NOTES)

    def forward(self, notes, h, memory):
        y, h = self.gru(self.emb(notes), h)
        if memory:
            m = torch.stack(memory, dim=1)
            att = torch.softmax(self.q(y) @ m.transpose(1, 2) / HID ** 0.5, dim=-1)
            read = att @ m
        else:
            read = torch.zeros_like(y)
        return self.out(torch.cat([y, read], dim=-1)), h


model = Composer()
average = copy.deepcopy(model).requires_grad_(False)
opt = torch.optim.Adam(model.parameters(), lr=3e-3)
h = torch.zeros(1, BATCH, HID)
memory = []
bars_per_update = 3
total, running = 0.0, None
pending = 0
agreement = []

# %% training
for bar in range(1500):
    notes = next_bar()
    logits, h = model(notes[:, :-1], h, memory)
    loss = F.cross_entropy(logits.reshape(-1, NOTES), notes[:, 1:].reshape(-1))
    total = total + loss
    pending += 1
    memory.append(h[0])

    if pending == bars_per_update:
        opt.zero_grad()
        (total / pending).backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()

        value = total.item() / pending
        running = value if running is None else 0.95 * running + 0.05 * value
        total, pending = 0.0, 0
        h = h.detach()
        memory = [m.detach() for m in memory[-MEM:]]

        with torch.no_grad():
            for a, p in zip(average.parameters(), model.parameters()):
                a.lerp_(p, 0.02)
            slow, _ = average(notes[:, :-1], h, memory)
            agreement.append((slow.argmax(-1) == logits.argmax(-1)).float().mean().item())

    if bar % 150 == 149:
        print(f"bar {bar + 1} loss {running:.3f} agreement {sum(agreement[-50:]) / 50:.3f}")
