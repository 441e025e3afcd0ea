# gradwatch-corpus: kind=none
import torch
from torch import nn
import torch.nn.functional as F

ATOMS = ["<s>", "</s>", "C", "N", "O", "(", ")", "="]


class ChainWriter(nn.Module):
    def __init__(self, vocab, dim=24):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim)
        self.gru = nn.GRU(dim, dim, batch_first=True)
        self.cond = nn.Linear(4, dim)
        self.out = nn.Linear(dim, vocab)

    def forward(self, props, tokens):
        h0 = torch.tanh(self.cond(props)).unsqueeze(0)
        y, _ = self.gru(self.embed(tokens), h0)
        return self.out(y)

    def one(self, token, h):
        y, h = self.gru(self.embed(token).view(1, 1, -1), h)
        return F.log_softmax(self.out(y[0, 0]), -1), h

    @torch.no_grad()
    def beam(self, props, width=3, limit=10):
        h = torch.tanh(self.cond(props)).view(1, 1, -1)
        beams = [(torch.zeros(()), [0], h)]
        finished = []
        for _ in range(limit):
            grown = []
            for score, seq, h in beams:
                logp, nh = self.one(torch.tensor(seq[-1]), h)
                top, idx = logp.topk(width)
                grown += [(score + s, seq + [i], nh) for s, i in zip(top, idx.tolist())]
            grown.sort(key=lambda b: b[0].item(), reverse=True)
            beams = []
            for cand in grown[: width * 2]:
                (finished if cand[1][-1] == 1 else beams).append(cand)
            beams = beams[:width]
            if not beams:
                break
        return max(finished + beams, key=lambda b: b[0].item() / len(b[1]))


class Formulae:
    def __init__(self, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.key = torch.randn(4, 6, generator=self.gen)

    def batch(self, n, length=8):
        props = torch.randn(n, 4, generator=self.gen)
        order = (props @ self.key).argsort(1) + 2
        body = order[:, : length - 2]
        return props, F.pad(F.pad(body, (1, 0), value=0), (0, 1), value=1)


def main():
    torch.manual_seed(9)
    data = Formulae(9)
    writer = ChainWriter(len(ATOMS))
    opt = torch.optim.Adam(writer.parameters(), lr=4e-3)
    best_of_epoch, loss_log = {}, []
    for step in range(450):
        props, seq = data.batch(24)
        logits = writer(props, seq[:, :-1])
        loss = F.cross_entropy(logits.flatten(0, 1), seq[:, 1:].flatten())
        opt.zero_grad()
        loss.backward()
        opt.step()
        loss_log.append(loss.item())
        if step % 50 == 49:
            writer.eval()
            score, tokens, hidden = writer.beam(props[0])
            writer.train()
            best_of_epoch[step + 1] = (score, tokens, hidden)
    for step, (score, tokens, _) in best_of_epoch.items():
        print(step, f"{score.item():.2f}", "".join(ATOMS[t] for t in tokens[1:]), f"{loss_log[step - 1]:.3f}")


if __name__ == "__main__":
    main()
