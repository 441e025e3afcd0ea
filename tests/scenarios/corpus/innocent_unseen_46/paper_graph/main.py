# gradwatch-corpus: kind=none
# Node classification on a citation-like graph, with a mean teacher and a probe
# on the hidden layer.
import torch
import torch.nn.functional as F

from layers import GCN, normalise
from papers import citation_graph
from watching import FeatureProbe, Meter

torch.manual_seed(31)

EPOCHS = 100
ACCUM = 2
LR = 1e-2
TEACHER_DECAY = 0.95
CONSISTENCY = 0.5


def make_teacher(student, **kw):
    teacher = GCN(**kw)
    teacher.load_state_dict(student.state_dict())
    for p in teacher.parameters():
        p.requires_grad = False
    return teacher


def update_teacher(student, teacher, decay):
    for ps, pt in zip(student.parameters(), teacher.parameters()):
        pt.data = decay * pt.data + (1 - decay) * ps.data


def drop_edges(adj, p):
    keep = (torch.rand_like(adj) > p).float()
    keep = torch.triu(keep, 1)
    return adj * (keep + keep.t())


def main():
    adj, feats, labels, train_mask, val_mask = citation_graph(n=240, classes=4, dims=32)
    full = normalise(adj)
    cfg = dict(n_in=32, n_hid=24, n_out=4)
    net = GCN(**cfg)
    teacher = make_teacher(net, **cfg)
    probe = FeatureProbe(net.conv1)
    meter = Meter("loss", "sup", "cons")
    optimizer = torch.optim.Adam(net.parameters(), lr=LR, weight_decay=5e-4)

    best_val, best_state = 0.0, None
    for epoch in range(EPOCHS):
        net.train()
        pending = []
        for _ in range(ACCUM):
            a = normalise(drop_edges(adj, 0.2))
            logits = net(feats, a)
            sup = F.cross_entropy(logits[train_mask], labels[train_mask])
            soft = torch.softmax(teacher(feats, full), 1)
            cons = F.mse_loss(torch.softmax(logits, 1), soft)
            pending.append(sup + CONSISTENCY * cons)
            meter.add(sup=sup, cons=cons)
        loss = torch.stack(pending).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        update_teacher(net, teacher, TEACHER_DECAY)
        meter.add(loss=loss)

        net.eval()
        with torch.no_grad():
            pred = net(feats, full).argmax(1)
        val = (pred[val_mask] == labels[val_mask]).float().mean()
        if val > best_val:
            best_val = val
            best_state = {k: v.clone() for k, v in net.state_dict().items()}
        if epoch % 20 == 0:
            print("epoch %3d  %s  val %.3f  dead units %d" % (epoch, meter.summary(), val, probe.dead_units()))
    net.load_state_dict(best_state)
    print("best val %.3f, drift of the features %.3f" % (best_val, probe.drift()))


if __name__ == "__main__":
    main()
