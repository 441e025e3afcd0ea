# gradwatch-corpus: kind=crashed
# first-bad: 60
# notice: 0
# %% leaf images: pretrain on many genera, warm-start the fine-tuning on two
import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(38)


def leaf_net(classes):
    net = nn.Sequential()
    net.add_module("features", nn.Sequential(nn.Conv2d(1, 4, 3), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(4, 6, 3),
                                             nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten()))
    net.add_module("classifier", nn.Linear(6, classes))
    return net


def leaves(n, classes):
    y = torch.randint(0, classes, (n,))
    img = torch.randn(n, 1, 12, 12) * 0.3
    for i, c in enumerate(y.tolist()):
        img[i, 0, c % 12, :] += 1.5
        img[i, 0, :, (2 * c) % 12] += 1.0
    return img, y


def warm_start(source, classes, train_only=("head",)):
    """Take over whatever fits and train only the parts named."""
    target = leaf_net(classes)
    own = target.state_dict()
    fits = {k: v for k, v in source.state_dict().items() if own[k].shape == v.shape}
    target.load_state_dict(fits, strict=False)
    for name, p in target.named_parameters():
        p.requires_grad_(name.startswith(train_only))  # <- culprit
    return target


def fit(net, classes, iters, lr):
    opt = torch.optim.SGD(net.parameters(), lr=lr, momentum=0.9)
    for i in range(iters):
        x, y = leaves(16, classes)
        loss = F.cross_entropy(net(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
    return loss.item()


# %% run
base = leaf_net(8)
print("pretrain", fit(base, 8, 60, 0.05))
tuned = warm_start(base, 2)
print("finetune", fit(tuned, 2, 200, 0.02))
