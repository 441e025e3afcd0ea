# gradwatch-corpus: kind=second-backward
# holder: model.fake_B | self.fake_B
# first-bad: 1
# notice: 0
import torch

torch.set_num_threads(1)
torch.manual_seed(0)

from options import Options
from pix2pix_model import Pix2PixModel

opt = Options(lambda_L1=50.0, lr=2e-3)
model = Pix2PixModel(opt)


def edges_to_boxes(n):
    out = torch.zeros(n, 1, 8, 8)
    for img in out:
        r, c = torch.randint(0, 4, (2,)).tolist()
        img[0, r:r + 4, c:c + 4] = 1.0
    edge = (out - torch.nn.functional.avg_pool2d(out, 3, 1, 1)).abs()
    return edge, out


for total_iters in range(200):
    A, B = edges_to_boxes(4)
    model.set_input({"A": A, "B": B})
    model.optimize_parameters()
    if total_iters % 50 == 0:
        print(total_iters, model.current_losses())
