/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PAGESTYLE_H
#define PAGESTYLE_H

extern const char page_style[];	/* the style sheet of a report */

#endif
