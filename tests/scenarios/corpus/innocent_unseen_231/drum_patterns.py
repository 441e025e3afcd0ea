# gradwatch-corpus: kind=none
# Drum pattern model: LSTM over one long recording, state carried from chunk to chunk
import math

import torch
import torch.nn as nn

torch.manual_seed(17)

N_DRUMS = 6
CHUNK = 16
BATCH = 8
HID = 40


def make_recording(length):
    t = torch.arange(length)
    hits = torch.zeros(length, BATCH, N_DRUMS)
    for b in range(BATCH):
        hits[:, b, 0] = (t % 4 == 0).float()
        hits[:, b, 1] = (t % 8 == 4).float()
        hits[:, b, 2] = (t % (2 + b % 2) == 0).float()
        hits[:, b, 3] = (t % 16 == 14).float()
    ghost = (torch.rand(length, BATCH, N_DRUMS) < 0.03).float()
    return (hits + ghost).clamp(max=1)


def repackage_hidden(h):
    """Wraps hidden states in new Tensors, to detach them from their history."""
    if isinstance(h, torch.Tensor):
        return h.detach()
    return tuple(repackage_hidden(v) for v in h)


class DrumModel(nn.Module):
    def __init__(self):
        super(DrumModel, self).__init__()
        self.lstm = nn.LSTM(N_DRUMS, HID)
        self.out = nn.Linear(HID, N_DRUMS)

    def init_hidden(self, bsz):
        weight = next(self.parameters())
        return (weight.new_zeros(1, bsz, HID), weight.new_zeros(1, bsz, HID))

    def forward(self, x, hidden):
        y, hidden = self.lstm(x, hidden)
        return self.out(y), hidden


recording = make_recording(CHUNK * 40 + 1)
model = DrumModel()
criterion = nn.BCEWithLogitsLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
hidden_log = []

for epoch in range(3):
    hidden = model.init_hidden(BATCH)
    total = 0.0
    outputs = []
    for k in range(40):
        chunk = recording[k * CHUNK:(k + 1) * CHUNK]
        target = recording[k * CHUNK + 1:(k + 1) * CHUNK + 1]
        hidden = repackage_hidden(hidden)
        optimizer.zero_grad()
        logits, hidden = model(chunk, hidden)
        loss = criterion(logits, target)
        loss.backward()
        optimizer.step()
        total += loss.item()
        outputs.append(logits.detach()[-1, 0] > 0)
    hidden_log.append(hidden[0].detach().norm().item())
    played = torch.stack(outputs).float().mean().item()
    print(f"epoch {epoch} loss {total / 40:.4f} ppl {math.exp(total / 40):.3f} played {played:.3f}")

print("state norms", [round(v, 2) for v in hidden_log])
