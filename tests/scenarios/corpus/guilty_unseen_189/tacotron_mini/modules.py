import torch
import torch.nn as nn


class Prenet(nn.Module):
    def __init__(self, n_in, n_out):
        super().__init__()
        self.fc = nn.Linear(n_in, n_out)
        self.drop = nn.Dropout(0.1)

    def forward(self, x):
        return self.drop(torch.relu(self.fc(x)))


class LocationAttention(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.query = nn.Linear(dim, dim, bias=False)
        self.memory = nn.Linear(dim, dim, bias=False)
        self.loc = nn.Conv1d(1, dim, 3, padding=1, bias=False)
        self.v = nn.Linear(dim, 1, bias=False)

    def forward(self, q, keys, memory, cum):
        e = self.v(torch.tanh(self.query(q).unsqueeze(1) + keys
                              + self.loc(cum.unsqueeze(1)).transpose(1, 2))).squeeze(-1)
        w = torch.softmax(e, -1)
        return torch.bmm(w.unsqueeze(1), memory).squeeze(1), w


class Decoder(nn.Module):
    def __init__(self, n_mels, dim):
        super().__init__()
        self.n_mels, self.dim = n_mels, dim
        self.prenet = Prenet(n_mels, dim)
        self.rnn = nn.GRUCell(2 * dim, dim)
        self.attention = LocationAttention(dim)
        self.proj = nn.Linear(2 * dim, n_mels)
        self.alignment_history = []

    def forward(self, memory, mel):
        B, T, _ = mel.shape
        keys = self.attention.memory(memory)
        h = memory.new_zeros(B, self.dim)
        ctx = memory.new_zeros(B, self.dim)
        cum = memory.new_zeros(B, memory.size(1))
        frame = memory.new_zeros(B, self.n_mels)
        frames, weights = [], []
        for t in range(T):
            h = self.rnn(torch.cat([self.prenet(frame), ctx], -1), h)
            ctx, w = self.attention(h, keys, memory, cum)
            cum = cum + w
            frames.append(self.proj(torch.cat([h, ctx], -1)))
            weights.append(w)
            frame = mel[:, t]
        align = torch.stack(weights, 1)
        self.alignment_history.append(align[0])  # <- culprit
        return torch.stack(frames, 1), align


class Tacotron(nn.Module):
    def __init__(self, vocab, n_mels, hidden):
        super().__init__()
        self.embedding = nn.Embedding(vocab, hidden)
        self.encoder = nn.GRU(hidden, hidden // 2, batch_first=True, bidirectional=True)
        self.decoder = Decoder(n_mels, hidden)

    def forward(self, text, mel):
        memory, _ = self.encoder(self.embedding(text))
        return self.decoder(memory, mel)
