// A headset that is not there: installs the WebXR emulator before the page loads.
import { XRDevice, metaQuest3 } from "iwer";

const device = new XRDevice(metaQuest3);
device.installRuntime({ forceInstall: true } as never);
(window as unknown as { headset: XRDevice }).headset = device;
