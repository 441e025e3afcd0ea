# gradwatch-corpus: kind=none
"""Music similarity: contrastive training against a ring buffer of past embeddings."""
import torch
from torch import nn
import torch.nn.functional as F


class EmbeddingBank(nn.Module):
    def __init__(self, size, dim):
        super().__init__()
        self.register_buffer("bank", F.normalize(torch.randn(size, dim), dim=1))
        self.register_buffer("labels", torch.full((size,), -1))
        self.cursor = 0

    def snapshot(self):
        return self.bank.clone(), self.labels.clone()

    def push(self, emb, labels):
        slots = torch.arange(self.cursor, self.cursor + len(emb)) % len(self.bank)
        self.bank[slots] = emb.detach()
        self.labels[slots] = labels
        self.cursor = (self.cursor + len(emb)) % len(self.bank)


class MelEncoder(nn.Module):
    def __init__(self, mels=20, dim=24):
        super().__init__()
        self.conv = nn.Conv1d(mels, 24, 5, padding=2)
        self.attn = nn.Linear(24, 1)
        self.out = nn.Linear(24, dim)

    def forward(self, mel):
        h = F.relu(self.conv(mel)).transpose(1, 2)
        pooled = (self.attn(h).softmax(1) * h).sum(1)
        return F.normalize(self.out(pooled), dim=1)


def supcon(emb, labels, bank, bank_labels, temperature=0.1):
    logits = emb @ bank.t() / temperature
    positive = (labels[:, None] == bank_labels[None, :]).float()
    log_prob = logits.log_softmax(1)
    count = positive.sum(1)
    per_item = -(positive * log_prob).sum(1) / count.clamp_min(1)
    return per_item[count > 0].sum() / (count > 0).sum().clamp_min(1)


def main():
    torch.manual_seed(12)
    genres = torch.randn(8, 20, 1)
    encoder = MelEncoder()
    bank = EmbeddingBank(size=192, dim=24)
    opt = torch.optim.AdamW(encoder.parameters(), lr=2e-3)
    sched = torch.optim.lr_scheduler.ExponentialLR(opt, 0.99)
    for step in range(130):
        labels = torch.randint(0, 8, (24,))
        mel = genres[labels] + 0.8 * torch.randn(24, 20, 30)
        emb = encoder(mel)
        past, past_labels = bank.snapshot()
        bank.push(emb, labels)
        loss = supcon(emb, labels, past, past_labels)
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        if step % 26 == 25:
            print(f"step {step + 1} supcon {loss.item():.4f}")


if __name__ == "__main__":
    main()
