# gradwatch-corpus: kind=none
import torch

torch.set_num_threads(1)
torch.manual_seed(115)

from schedule import GradualUnfreezing
from backbone import pretrained, Classifier
import torch.nn.functional as F

clf = Classifier(pretrained(), 5)
plan = GradualUnfreezing(clf, {0: ["head"], 6: ["backbone.stage2"], 12: ["backbone.stage1"]})
proto = torch.randn(5, 3, 6, 6)


def batch(n=12):
    y = torch.randint(0, 5, (n,))
    return proto[y] + torch.randn(n, 3, 6, 6), y


for epoch in range(18):
    opt = plan.optimizer_for(epoch)
    clf.train()
    clf.backbone.stage1.eval()
    right = 0
    for _ in range(25):
        x, y = batch()
        out = clf(x)
        loss = F.cross_entropy(out, y, label_smoothing=0.05)
        opt.zero_grad()
        loss.backward()
        opt.step()
        right += out.detach().argmax(1).eq(y).sum()
    frozen = sum(not p.requires_grad for p in clf.parameters())
    print(epoch, "frozen", frozen, "acc", float(right) / 300)
