import torch
import torch.nn as nn
import torch.nn.functional as F


class ChunkEncoder(nn.Module):
    """Unidirectional GRU stack that goes on where the previous chunk stopped."""

    def __init__(self, mels, hidden, layers):
        super().__init__()
        self.subsample = nn.Conv1d(mels, hidden, kernel_size=2, stride=2)
        self.cells = nn.ModuleList(nn.GRU(hidden, hidden, batch_first=True) for _ in range(layers))
        self.memory = [None] * layers

    def reset(self):
        self.memory = [None] * len(self.cells)

    def forward(self, feats):
        x = torch.relu(self.subsample(feats.transpose(1, 2))).transpose(1, 2)
        for i, gru in enumerate(self.cells):
            out, h_n = gru(x, self.memory[i])
            self.memory[i] = h_n  # <- culprit
            x = x + out
        return x


class Recogniser(nn.Module):
    def __init__(self, mels, hidden, layers, phones):
        super().__init__()
        self.encoder = ChunkEncoder(mels, hidden, layers)
        self.phone_head = nn.Linear(hidden, phones + 1)
        self.energy_head = nn.Linear(hidden, 1)

    def losses(self, feats, phones, lengths):
        enc = self.encoder(feats)
        logp = self.phone_head(enc).log_softmax(-1).transpose(0, 1)
        frames = torch.full((feats.size(0),), enc.size(1), dtype=torch.long)
        ctc = F.ctc_loss(logp, phones, frames, lengths, zero_infinity=True)
        pooled = feats.pow(2).mean(-1).unflatten(1, (-1, 2)).mean(-1)
        energy = F.mse_loss(self.energy_head(enc).squeeze(-1), pooled)
        return {"ctc": ctc, "energy": energy}
