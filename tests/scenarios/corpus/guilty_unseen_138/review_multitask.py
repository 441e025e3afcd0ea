# gradwatch-corpus: kind=retain-needless
# first-bad: 0
# notice: 60
"""Text CNN that predicts stars and helpfulness of a product review at once."""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(16)

VOCAB, LEN = 80, 16


class Reviews(torch.utils.data.IterableDataset):
    def __init__(self, n):
        self.n = n
        self.good = torch.arange(5, 25)
        self.bad = torch.arange(25, 45)

    def __iter__(self):
        for _ in range(self.n):
            stars = int(torch.randint(0, 5, ()))
            n_tok = int(torch.randint(6, LEN + 1, ()))
            src = torch.where(torch.rand(n_tok) < stars / 4, self.good[torch.randint(0, 20, (n_tok,))],
                              self.bad[torch.randint(0, 20, (n_tok,))])
            toks = torch.zeros(LEN, dtype=torch.long)
            toks[:n_tok] = src
            yield toks, stars, float(n_tok) / LEN


class TextCNN(nn.Module):
    def __init__(self, emb=12, maps=8):
        super().__init__()
        self.emb = nn.Embedding(VOCAB, emb, padding_idx=0)
        self.convs = nn.ModuleList([nn.Conv1d(emb, maps, k) for k in (2, 3, 4)])
        self.drop = nn.Dropout(0.2)
        self.stars = nn.Linear(3 * maps, 5)
        self.helpful = nn.Linear(3 * maps, 1)

    def features(self, x):
        e = self.emb(x).transpose(1, 2)
        return torch.cat([F.relu(c(e)).max(-1).values for c in self.convs], 1)

    def forward(self, x):
        h = self.drop(self.features(x))
        return self.stars(h), self.helpful(h).squeeze(1)


def multitask_step(net, opt, batch, lam=0.5):
    x, s, h = batch
    opt.zero_grad()
    star_logits, help_pred = net(x)
    loss_star = F.cross_entropy(star_logits, s)
    loss_help = F.mse_loss(torch.sigmoid(help_pred), h.float())
    loss = loss_star + lam * loss_help
    loss.backward(retain_graph=True)  # <- culprit
    opt.step()
    acc = (star_logits.argmax(1) == s).float().mean()
    return loss_star.item(), loss_help.item(), acc.item()


def main():
    net = TextCNN()
    opt = torch.optim.Adam(net.parameters(), lr=2e-3)
    for epoch in range(5):
        log = [multitask_step(net, opt, b) for b in torch.utils.data.DataLoader(Reviews(1600), batch_size=16)]
        star, helpful, acc = (sum(c) / len(log) for c in zip(*log))
        print(f"epoch {epoch} star-ce {star:.3f} helpful-mse {helpful:.4f} star-acc {acc:.2%}")


main()
