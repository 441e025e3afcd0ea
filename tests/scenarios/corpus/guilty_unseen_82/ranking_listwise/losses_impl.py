import torch
import torch.nn.functional as F

from losses import register


@register("listnet")
def listnet(scores, page, **_):
    return -(F.softmax(page.gain, -1) * F.log_softmax(scores, -1)).sum(-1).mean()


@register("margin")
def margin(scores, page, **_):
    diff = scores.unsqueeze(2) - scores.unsqueeze(1)
    better = (page.gain.unsqueeze(2) > page.gain.unsqueeze(1)).float()
    return (F.relu(0.5 - diff) * better).sum() / better.sum().clamp_min(1)


@register("diversity", meter="vector")
def diversity(scores, items, page, **_):
    expo = torch.softmax(scores, -1)
    sim = items @ items.transpose(1, 2)
    return torch.einsum("qs,qst,qt->q", expo, sim, expo)
