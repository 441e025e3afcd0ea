import torch.nn.functional as F

LOSSES = {}


def register(fn):
    LOSSES[fn.__name__] = fn
    return fn


@register
def pair_nce(ctx, q, k, topic, tau):
    return F.cross_entropy(q @ k.t() / tau, topic.new_tensor(range(len(q))))


@register
def centroid_nce(ctx, q, k, topic, tau):
    pull = F.cross_entropy(q @ F.normalize(ctx.centroids, dim=-1).t() / tau, topic)
    return pull + 0.5 * pair_nce(ctx, q, k, topic, tau)
