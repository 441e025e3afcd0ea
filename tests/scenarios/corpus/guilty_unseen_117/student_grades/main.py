# gradwatch-corpus: kind=graph-chain
# holder: self.avg | criterion.avg | crit.avg
# first-bad: 1
# notice: 5

# predict math / reading / writing score of a student from the questionaire
# losses have very different size so I weight them with a moving average
import torch
from torch import nn

from questionnaire import load_students, SUBJECTS
from balanced_loss import BalancedLoss

torch.set_num_threads(1)
torch.manual_seed(2023)

train, val = load_students()


class GradeModel(nn.Module):
    def __init__(self, nfeat):
        super().__init__()
        # one linear layer per subject. tried deeper but overfits
        self.heads = nn.ModuleDict({s: nn.Linear(nfeat, 1) for s in SUBJECTS})

    def forward(self, x):
        return {s: h(x).squeeze(-1) for s, h in self.heads.items()}


def fit(model, crit, epochs=15, bs=40):
    optimizer = torch.optim.Adam(model.parameters(), lr=0.08)
    xs, ys = train
    for e in range(epochs):
        order = torch.randperm(xs.shape[0])
        eloss = 0
        n = 0
        for k in range(0, len(order), bs):
            j = order[k:k + bs]
            pred = model(xs[j])
            loss = crit(pred, {s: ys[s][j] for s in SUBJECTS})
            optimizer.zero_grad()
            # "Trying to backward..." without this
            loss.backward(retain_graph=True)  # <- culprit
            optimizer.step()
            eloss += float(loss)
            n += 1
        with torch.no_grad():
            vp = model(val[0])
            errs = '  '.join('%s %.2f' % (s, (vp[s] - val[1][s]).abs().mean()) for s in SUBJECTS)
        print('epoch', e, 'loss %.3f' % (eloss / n), '| val MAE:', errs)


if __name__ == '__main__':
    m = GradeModel(train[0].shape[1])
    criterion = BalancedLoss(SUBJECTS, momentum=0.9)
    fit(m, criterion)
    print('final weights', criterion)
