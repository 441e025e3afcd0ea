# gradwatch-corpus: kind=graph-held
# holder: activation | activation['feat'] | activation["feat"]
# first-bad: 1
# notice: 8

"""
leaf disease classifier + I want a t-SNE of the penultimate layer during training,
copied the hook from https://discuss.pytorch.org (get_activation recipe)
"""
import argparse
from collections import defaultdict

import torch
from torch import nn
from torch.utils.data import Dataset, DataLoader

torch.set_num_threads(1)

CLASSES = ['healthy', 'rust', 'mildew', 'blight']
activation = defaultdict(list)


def get_activation(name):
    def hook(model, input, output):
        if model.training:
            activation[name].append(output.flatten(1))  # <- culprit
    return hook


class LeafDataset(Dataset):
    """fake leaf pictures: green disc + coloured spots depending on the class"""

    def __init__(self, n=320, size=16, seed=3):
        g = torch.Generator().manual_seed(seed)
        self.imgs, self.lbl = [], []
        yy, xx = torch.meshgrid(torch.arange(size), torch.arange(size), indexing='ij')
        disc = (((yy - size / 2) ** 2 + (xx - size / 2) ** 2) < (size / 2.3) ** 2).float()
        for i in range(n):
            c = i % len(CLASSES)
            im = torch.zeros(3, size, size)
            im[1] = disc * 0.7
            if c > 0:
                for _ in range(5):
                    a, b = torch.randint(3, size - 4, (2,), generator=g).tolist()
                    im[c - 1, a:a + 2, b:b + 2] += 0.6
            im += 0.05 * torch.randn(im.shape, generator=g)
            self.imgs.append(im)
            self.lbl.append(c)

    def __len__(self):
        return len(self.imgs)

    def __getitem__(self, i):
        return self.imgs[i], self.lbl[i]


class LeafCNN(nn.Module):
    def __init__(self, nc):
        super(LeafCNN, self).__init__()
        self.features = nn.Sequential(
            nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(8, 16, 3, padding=1), nn.ReLU(), nn.AdaptiveAvgPool2d(2))
        self.feat = nn.Sequential(nn.Flatten(), nn.Linear(64, 12), nn.Tanh())
        self.classifier = nn.Linear(12, nc)

    def forward(self, x):
        x = self.features(x)
        x = self.feat(x)
        return self.classifier(x)


def pca2(feats):
    # sklearn is not installed on the cluster so only PCA for now
    f = feats - feats.mean(0)
    u, s, v = torch.linalg.svd(f, full_matrices=False)
    return f @ v[:2].T


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument('--epochs', type=int, default=12)
    ap.add_argument('--bs', type=int, default=20)
    ap.add_argument('--lr', type=float, default=5e-3)
    args = ap.parse_args()

    torch.manual_seed(7)
    ds = LeafDataset()
    loader = DataLoader(ds, batch_size=args.bs, shuffle=True)
    net = LeafCNN(len(CLASSES))
    net.feat.register_forward_hook(get_activation('feat'))
    opt = torch.optim.SGD(net.parameters(), lr=args.lr, momentum=0.9)
    ce = nn.CrossEntropyLoss()
    targets = []

    for ep in range(args.epochs):
        net.train()
        correct, tot, lsum = 0, 0, 0.0
        for img, lab in loader:
            opt.zero_grad()
            logits = net(img)
            l = ce(logits, lab)
            l.backward()
            opt.step()
            targets.append(lab)
            lsum += l.item()
            correct += (logits.argmax(1) == lab).sum().item()
            tot += len(lab)
        print(f'ep {ep:2d} loss {lsum / len(loader):.3f} acc {correct / tot:.3f}')

    # only for the figure
    all_f = torch.cat([a.detach() for a in activation['feat'][-16:]])
    all_t = torch.cat(targets[-16:])
    xy = pca2(all_f)
    for c, name in enumerate(CLASSES):
        m = xy[all_t == c].mean(0)
        print('%-8s centre (%.2f, %.2f)' % (name, m[0], m[1]))


if __name__ == '__main__':
    main()
