import copy

import torch
from torch import nn


class AverageMeter:
    def __init__(self):
        self.val = self.sum = self.count = self.avg = 0

    def update(self, val, n=1):
        self.val = val
        self.sum += val * n
        self.count += n
        self.avg = self.sum / self.count


class ModelEmaV2(nn.Module):
    def __init__(self, model, decay=0.999):
        super().__init__()
        self.module = copy.deepcopy(model).eval()
        self.decay = decay

    def update(self, model):
        with torch.no_grad():
            for e, m in zip(self.module.state_dict().values(), model.state_dict().values()):
                e.copy_(self.decay * e + (1.0 - self.decay) * m)


class FeatureBank:
    """Backbone features, computed the first time an image is seen."""

    def __init__(self, backbone):
        self.backbone = backbone.eval()
        self.store = {}

    @torch.no_grad()
    def __call__(self, idx, images):
        missing = [k for k, i in enumerate(idx.tolist()) if i not in self.store]
        if missing:
            for k, f in zip(missing, self.backbone(images[missing])):
                self.store[idx[k].item()] = f.clone()
        return torch.stack([self.store[i] for i in idx.tolist()])


def train_one_epoch(epoch, head, bank, loader, optimizer, scheduler, ema):
    losses_m = AverageMeter()
    loss_fn = nn.CrossEntropyLoss(label_smoothing=0.1)
    head.train()
    for idx, images, target in loader:
        feats = bank(idx, images)
        feats = feats + 0.05 * torch.randn_like(feats)
        loss = loss_fn(head(feats), target)
        losses_m.update(loss.item(), len(target))
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(head.parameters(), 1.0)
        optimizer.step()
        scheduler.step()
        ema.update(head)
    return losses_m.avg


@torch.inference_mode()
def validate(head, backbone, loader):
    top1 = AverageMeter()
    for _, images, target in loader:
        top1.update(100 * (head(backbone(images)).argmax(1) == target).float().mean().item(), len(target))
    return top1.avg
