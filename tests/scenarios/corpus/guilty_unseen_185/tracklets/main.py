# gradwatch-corpus: kind=graph-held
# holder: self.features[track.uid] | self.features | gallery.features
# first-bad: 1
# notice: 100
import torch
import torch.nn.functional as F

from data import Scene
from gallery import Gallery, Track
from net import ReIDNet


def triplet(emb, ids, margin=0.3):
    d = torch.cdist(emb, emb)
    same = ids[:, None] == ids[None]
    hardest_pos = (d * same).amax(1)
    hardest_neg = (d + 1e3 * same).amin(1)
    return F.relu(hardest_pos - hardest_neg + margin).mean()


def main(frames=450):
    torch.manual_seed(17)
    scene = Scene(people=8, dim=40, seed=4)
    net = ReIDNet(40, 32)
    opt = torch.optim.SGD(net.parameters(), lr=0.02, momentum=0.9, weight_decay=1e-4)
    gallery = Gallery(budget=24)
    for frame in range(frames):
        x, ids = scene.frame(views=4)
        emb = net(x)
        loss = triplet(emb, ids)
        opt.zero_grad()
        loss.backward()
        opt.step()
        gallery.admit(Track(uid=frame, label=int(ids[0])), emb[:4].mean(0))
        if (frame + 1) % 75 == 0:
            print(f"frame {frame + 1}  triplet {loss.item():.4f}  nearest {gallery.nearest(emb[0])}")


if __name__ == "__main__":
    main()
