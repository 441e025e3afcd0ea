import torch.nn.functional as F

OBJECTIVES = {}


def objective(name):
    def deco(fn):
        OBJECTIVES[name] = fn
        return fn
    return deco


@objective("property")
def property_loss(net, out, batch):
    return F.smooth_l1_loss(out.value, batch.y)


@objective("mask")
def neighbour_atom_loss(net, out, batch):
    around = batch.adj @ out.nodes  # <- culprit
    return 0.1 * F.cross_entropy(net.atom_head(around), batch.atom)
