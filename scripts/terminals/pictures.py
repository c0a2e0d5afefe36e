"""The still clip, where the player must put it, and how near a screenshot comes to it."""

import math
import subprocess

import numpy as np

SIZE = (960, 540)
# Fine edges, flat colours, text and soft shades side by side: each shows another kind of mistake.
SCENE = ("mandelbrot=s=480x540:start_scale=0.3:start_x=-0.7453:start_y=0.1127[a];testsrc2=s=480x270[b];"
         "gradients=s=480x270:nb_colors=4:c0=0x10204A:c1=0x1E9FAF:c2=0x8C3F8F:c3=0xF0A63C:seed=3[c];"
         "[b][c]vstack[d];[a][d]hstack,format=yuv420p")
TAGS = "-colorspace bt709 -color_primaries bt709 -color_trc bt709 -color_range tv".split()


def make_clip(path, seconds=40):
    """A film whose every picture is the same."""
    still = path.with_suffix(".png")
    run = ["ffmpeg", "-v", "error", "-nostdin", "-y"]
    subprocess.run([*run, "-filter_complex", SCENE, "-frames:v", "1", still], check=True)
    encoding = ["-c:v", "libx264", "-preset", "veryfast", "-crf", "10", *TAGS]
    subprocess.run([*run, "-loop", "1", "-framerate", "24", "-t", str(seconds), "-i", still, "-vf",
                    "scale=out_color_matrix=bt709:out_range=tv,format=yuv420p", *encoding, path], check=True)
    return path


def source(path, width, height):
    """The clip's picture at that size, averaged over areas, as the player does it."""
    command = ["ffmpeg", "-v", "error", "-nostdin", "-i", path, "-frames:v", "1", "-vf",
               f"scale={width}:{height}:flags=area+accurate_rnd+full_chroma_int", "-f", "rawvideo", "-pix_fmt", "rgb24", "-"]
    data = subprocess.run(command, check=True, capture_output=True).stdout
    return np.frombuffer(data, np.uint8).reshape(height, width, 3)


def placed(area, points):
    """Left, top, width and height of the picture in the screenshot: as large as its shape allows, in the middle by whole cells.
    `points` are a cell's, across and down; None where the picture is drawn in pixels. The same sums as PictureFit's and
    PictureLayout's."""
    across, down = points or (round(area.cell_width), round(area.cell_height))
    wide, high = area.columns * across, area.rows * down
    shape = SIZE[0] / SIZE[1] / (area.aspect * down / across)
    width, height = (round(high * shape), high) if high * shape <= wide else (wide, min(high, round(wide / shape)))
    column, row = (area.columns - math.ceil(width / across)) // 2, (area.rows - math.ceil(height / down)) // 2
    return (round(area.left + column * area.cell_width), round(area.top + row * area.cell_height),
            round(width * area.cell_width / across), round(height * area.cell_height / down))


def luma(picture):
    return picture @ np.array([0.2126, 0.7152, 0.0722])


def blurred(plane, sigma, reach=3.0):
    """Gaussian, along both axes; the edges are mirrored."""
    if sigma <= 0:
        return plane
    radius = max(1, math.ceil(reach * sigma))
    weights = np.exp(-np.arange(-radius, radius + 1) ** 2 / (2 * sigma * sigma))
    weights /= weights.sum()
    for axis in (0, 1):
        length = plane.shape[axis]
        padding = [(radius, radius) if a == axis else (0, 0) for a in range(plane.ndim)]
        wide = np.pad(plane, padding, mode="symmetric")
        plane = sum(w * wide.take(range(i, i + length), axis) for i, w in enumerate(weights))
    return plane


def ssim_map(a, b):
    """Structural similarity around every pixel (Wang 2004: Gaussian window of 1.5 pixels)."""
    c1, c2 = (0.01 * 255) ** 2, (0.03 * 255) ** 2
    mean_a, mean_b = blurred(a, 1.5), blurred(b, 1.5)
    variance_a, variance_b = blurred(a * a, 1.5) - mean_a ** 2, blurred(b * b, 1.5) - mean_b ** 2
    covariance = blurred(a * b, 1.5) - mean_a * mean_b
    return ((2 * mean_a * mean_b + c1) * (2 * covariance + c2)
            / ((mean_a ** 2 + mean_b ** 2 + c1) * (variance_a + variance_b + c2)))


class Likeness:
    """What is seen of the clip in a screenshot. `sigma` is the eye's distance: nought for pixels, an eighth of a cell's height for
    cells. The rectangle may lie two pixels beside the computed one: terminals round their margins."""

    def __init__(self, clip, rectangle, sigma):
        self.rectangle, self.sigma = rectangle, sigma
        self.wanted = blurred(source(clip, *rectangle[2:]).astype(float), sigma)

    def seen(self, shot, dx=0, dy=0):
        left, top, width, height = self.rectangle
        return shot[max(0, top + dy):, max(0, left + dx):][:height, :width].astype(float)

    def offset(self, shot):
        """Where the picture lies beside the computed place."""
        wanted, candidates = luma(self.wanted), [(x, y) for y in range(-2, 3) for x in range(-2, 3)]
        places = [(dx, dy, self.seen(shot, dx, dy)) for dx, dy in candidates]
        places = [(dx, dy, luma(seen)) for dx, dy, seen in places if seen.shape == self.wanted.shape]
        dx, dy, _ = min(places, key=lambda p: np.mean((p[2] - wanted) ** 2) + 0.01 * (abs(p[0]) + abs(p[1])))
        return dx, dy

    def measure(self, shot, without=None):
        """(SSIM of luma, mean difference of the colours), but for a rectangle of the screen."""
        seen = blurred(self.seen(shot, *self.offset(shot)), self.sigma)
        counts = np.ones(seen.shape[:2], bool)
        if without:
            left, top, width, height = without
            x, y = left - self.rectangle[0], top - self.rectangle[1]
            counts[max(0, y):max(0, y + height), max(0, x):max(0, x + width)] = False
        if not counts.any():
            return None, None
        return (float(ssim_map(luma(seen), luma(self.wanted))[counts].mean()),
                float(np.abs(seen - self.wanted)[counts].mean()))
