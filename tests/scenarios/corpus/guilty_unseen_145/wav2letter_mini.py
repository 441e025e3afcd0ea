# gradwatch-corpus: kind=crashed
# first-bad: 51
# notice: 0
import torch

torch.set_num_threads(1)
from torch import nn

ALPHABET = 5


class AcousticModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Conv1d(8, 16, 3, padding=1), nn.GLU(dim=1), nn.Conv1d(8, 16, 3, padding=1), nn.Hardtanh())
        self.head = nn.Conv1d(16, ALPHABET + 1, 1)

    def forward(self, feats):
        return self.head(self.layers(feats)).permute(2, 0, 1).log_softmax(-1)


class Clips:
    def __init__(self, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.atoms = torch.randn(ALPHABET + 1, 8, generator=torch.Generator().manual_seed(99))

    def batch(self, n=4, letters=3):
        text = torch.randint(1, ALPHABET + 1, (n, letters), generator=self.gen)
        feats = self.atoms[text].repeat_interleave(4, dim=1) + 0.2 * torch.randn(n, 4 * letters, 8, generator=self.gen)
        return feats.transpose(1, 2), text


ctc = nn.CTCLoss(zero_infinity=True)


def ctc_loss(logp, text):
    n = len(text)
    return ctc(logp, text, torch.full((n,), logp.shape[0]), torch.full((n,), text.shape[1]))


def validate(model, clips, batches=3):
    model.eval()
    torch.set_grad_enabled(False)  # <- culprit
    score = sum(ctc_loss(model(x), y).item() for x, y in (clips.batch() for _ in range(batches)))
    model.train()
    return score / batches


def main():
    torch.manual_seed(6)
    model, train_set, dev_set = AcousticModel(), Clips(1), Clips(2)
    opt = torch.optim.Adam(model.parameters(), lr=4e-3)
    for n_iter in range(300):
        x, y = train_set.batch()
        loss = ctc_loss(model(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if n_iter and n_iter % 50 == 0:
            print(n_iter, "dev", round(validate(model, dev_set), 3))


main()
