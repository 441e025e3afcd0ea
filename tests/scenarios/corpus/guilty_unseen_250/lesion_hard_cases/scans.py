import torch


class PatchSampler:
    def __init__(self, patch, batch):
        self.patch = patch
        self.batch = batch
        self.next_case = 0
        axis = torch.arange(patch, dtype=torch.float32)
        self.rows = axis.view(1, patch, 1)
        self.cols = axis.view(1, 1, patch)

    def draw(self):
        centre = torch.rand(self.batch, 2) * self.patch
        radius = 2 + 3 * torch.rand(self.batch, 1, 1)
        dist_r = (self.rows - centre[:, 0].view(-1, 1, 1)) ** 2
        dist_c = (self.cols - centre[:, 1].view(-1, 1, 1)) ** 2
        masks = (dist_r + dist_c < radius ** 2).float().unsqueeze(1)
        patches = masks + 0.6 * torch.randn_like(masks)
        case_ids = torch.arange(self.next_case, self.next_case + self.batch)
        self.next_case += self.batch
        return patches, masks, case_ids
