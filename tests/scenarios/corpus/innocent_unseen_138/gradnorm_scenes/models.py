import torch
import torch.nn as nn
import torch.nn.functional as F


class SceneNet(nn.Module):
    def __init__(self, ch):
        super().__init__()
        self.stem = nn.Conv2d(1, ch, 3, padding=1)
        self.shared = nn.Conv2d(ch, ch, 3, padding=1)
        self.depth, self.seg, self.normal = nn.Conv2d(ch, 1, 1), nn.Conv2d(ch, 3, 1), nn.Conv2d(ch, 2, 1)

    def forward(self, img):
        h = F.relu(self.shared(F.relu(self.stem(img))))
        return self.depth(h), self.seg(h), self.normal(h)

    def losses(self, out, tgt):
        d, s, n = out
        return [F.l1_loss(d, tgt[0]), F.cross_entropy(s, tgt[1]), (1 - F.cosine_similarity(n, tgt[2], dim=1)).mean()]

    def shared_weight(self):
        return self.shared.weight
