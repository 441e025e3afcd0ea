import torch.nn.functional as F

from instrument import timed


@timed
def classify(net, x, y):
    logits = net(x)
    loss = F.cross_entropy(logits, y, label_smoothing=0.05)
    acc = (logits.argmax(1) == y).float().mean().item()
    return loss, acc
